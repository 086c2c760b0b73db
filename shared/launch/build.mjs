import { runEntry } from './entry.mjs';
import { prepare } from './prepare.mjs';

await runEntry(async () => {
  await prepare();
  console.log('Built.');
  return 0;
});
