import { writeFileSync } from 'node:fs';
import { printed, readLedger } from './ledger.js';

/* The command `npm run ledger`: writes the ledger to the passed file, or prints it. */
const text = printed(readLedger());
const [file] = process.argv.slice(2);
if (file === undefined) process.stdout.write(text);
else writeFileSync(file, text);
