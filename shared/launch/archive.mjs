import path from 'node:path';

import { BadUsage } from './admin-arguments.mjs';
import { runEntry } from './entry.mjs';
import { checkout, inCheckout } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { runStep } from './run-step.mjs';
import { projectNode } from './runtime.mjs';

/* npm run archive: looks at archives of groups and projects without a database. Standard output is the script's alone. */

const usage = `npm run archive -- inspect FILE
npm run archive -- diff FILE FILE

  inspect  tells the groups, relations, counts, sizes and problems of an archive, as an import would read it
  diff     tells what differs between two, but for ids and times

Exit code 0; 1 where two archives differ; 2 for a file that an import would refuse.`;

const files = { inspect: 1, diff: 2 };

await runEntry(async () => {
  const [command, ...words] = process.argv.slice(2);
  if ([command, ...words].some((word) => word === '--help' || word === '-h') || command === 'help') {
    console.log(usage);
    return 0;
  }
  if (!Object.hasOwn(files, command ?? '') || words.length !== files[command])
    throw new BadUsage(`Say what to look at:\n\n${usage}`);
  console.log = console.error;
  const named = words.map((word) => path.resolve(process.env.INIT_CWD ?? process.cwd(), word));
  await prepare();
  return runStep(projectNode(), [inCheckout('dist', 'shared', 'archive.js'), command, ...named], { cwd: checkout });
});
