import { brokenCitations } from './citations.js';
import { getProblems, readLedger } from './ledger.js';

/* What `npm run check` runs of the contract: its rows, and what cites it. */
const problems = [...getProblems(readLedger()), ...brokenCitations()];
for (const line of problems) process.stderr.write(`${line}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
