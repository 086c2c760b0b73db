import { namesExportedTwice } from './exported-names.js';
import { brokenImports } from './import-rules.js';

/* What `npm run check` runs of the rules on imports and exports. */
const broken = [...brokenImports(), ...namesExportedTwice()];
for (const line of broken) process.stderr.write(`${line}\n`);
process.exitCode = broken.length > 0 ? 1 : 0;
