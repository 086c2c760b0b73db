import { brokenImports } from './import-rules.js';

/* What `npm run check` runs of the import rules. */
const broken = brokenImports();
for (const line of broken) process.stderr.write(`${line}\n`);
process.exitCode = broken.length > 0 ? 1 : 0;
