import { problemsOf, readLedger } from './ledger.js';

/* What `npm run check` runs of the ledger. */
const problems = problemsOf(readLedger());
for (const line of problems) process.stderr.write(`${line}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
