import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { allRoutes } from './domains.js';
import { openApiDocument } from './core/openapi/document.js';
import { printTypescript } from './core/openapi/typescript.js';

/** Writes the types of the bound routes, which the pages are checked against, to the file that the argument names. */
const [, , file] = process.argv;
if (!file) throw new Error('Say which file to write the types to.');
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, printTypescript(openApiDocument(allRoutes)));
