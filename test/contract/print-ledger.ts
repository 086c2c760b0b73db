import { writeFileSync } from 'node:fs';
import { printed, readLedger } from './ledger.js';

/* What `npm run ledger` runs: writes the ledger to the file that is named, or prints it. */
const text = printed(readLedger());
const [file] = process.argv.slice(2);
if (file === undefined) process.stdout.write(text);
else writeFileSync(file, text);
