import { writeFileSync } from 'node:fs';
import { allRoutes } from './domains.js';
import { openApiDocument } from './core/openapi/document.js';

const text = `${JSON.stringify(openApiDocument(allRoutes), null, 2)}\n`;
const file = process.argv[2];

// The file that the first argument names, or standard output.
if (file) writeFileSync(file, text);
else process.stdout.write(text);
