import { runEntry } from './entry.mjs';
import { prepare } from './prepare.mjs';

await runEntry(async () => {
  await prepare({ development: true });
  console.log('Built.');
  return 0;
});
