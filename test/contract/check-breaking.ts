import { readFileSync } from 'node:fs';
import { allRoutes } from '../../api/domains.js';
import { openApiDocument } from '../../api/core/openapi/document.js';
import { written } from '../core/described.js';
import { readRow, restBreaks, restRows, schemaBreaks } from './breaking-changes.js';

/* Part of `npm run check`: the API of the last release (`api/released`) is not broken, except as declared there. */
const getLines = (file: string) =>
  readFileSync(`api/released/${file}`, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

const breaks = [
  ...schemaBreaks(readFileSync('api/released/schema.graphql', 'utf8'), readFileSync('api/schema.graphql', 'utf8')),
  ...restBreaks(getLines('rest.list').map(readRow), restRows(written(openApiDocument(allRoutes)) as never)),
];
const declared = new Set(getLines('breaking-changes.list').map((line) => line.split(' # ')[0]));
const problems = [
  ...breaks.filter((one) => !declared.has(one)).map((one) => `Breaks clients, and is not declared: ${one}`),
  ...[...declared]
    .filter((one) => !breaks.includes(one as string))
    .map((one) => `Declared, and breaks nothing: ${one}`),
];
for (const line of problems) process.stderr.write(`${line}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
