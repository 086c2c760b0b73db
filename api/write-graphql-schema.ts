import { writeFile } from 'node:fs/promises';
import { schemaText } from './core/graphql/schema.js';
import { loadGraphql } from './graphql.js';

/* npm run graphql:schema: writes what GraphQL serves, so that a change of it is seen in review. */

const { schema } = await loadGraphql();
await writeFile('api/schema.graphql', schemaText(schema));
