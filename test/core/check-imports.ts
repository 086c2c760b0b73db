import { namesExportedTwice, unusedGraphqlNames } from './exported-names.js';
import { namesOutsideGlossary } from './glossary.js';
import { needlessStatements } from './sql-statements.js';
import { areaCircles, brokenImports, fileCircles, namersOfQueueTables } from './import-rules.js';
import { brokenPageImports, pageCircles } from './page-imports.js';

/* What `npm run check` runs of the rules on imports, exports and names. */
const circles = [...areaCircles(), ...fileCircles(), ...pageCircles()];
const broken = [
  ...brokenImports(),
  ...brokenPageImports(),
  ...circles.map((circle) => `${circle.join(', ')} import each other in a circle.`),
  ...namersOfQueueTables(),
  ...namesExportedTwice(),
  ...unusedGraphqlNames(),
  ...namesOutsideGlossary(),
  ...needlessStatements(),
];
for (const line of broken) process.stderr.write(`${line}\n`);
process.exitCode = broken.length > 0 ? 1 : 0;
