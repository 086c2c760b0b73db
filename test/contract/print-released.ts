import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { allRoutes } from '../../api/domains.js';
import { openApiDocument } from '../../api/core/openapi/document.js';
import { written } from '../core/described.js';
import { restRows, writeRow } from './breaking-changes.js';

/* What `npm run release:contract` runs at a release: from now on nothing of this may break without being declared. */
const rows = restRows(written(openApiDocument(allRoutes)) as never).map(writeRow);
const head =
  '# What clients of the last release rely on, from its openapi.json. Written by `npm run release:contract`.\n';
writeFileSync('api/released/rest.list', `${head}${[...new Set(rows)].sort().join('\n')}\n`);
copyFileSync('api/schema.graphql', 'api/released/schema.graphql');
const [text = ''] = readFileSync('api/released/breaking-changes.list', 'utf8').split(/^(?!#)/m);
writeFileSync('api/released/breaking-changes.list', text);
