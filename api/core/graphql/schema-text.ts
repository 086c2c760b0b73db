import { lexicographicSortSchema, printSchema } from 'graphql';
import type { GraphQLSchema } from 'graphql';

/** A schema in the schema language, in an order that does not depend on the order of declarations. */
export function schemaText(schema: GraphQLSchema): string {
  return `# Written by \`npm run graphql:schema\`; a test compares it.\n\n${printSchema(lexicographicSortSchema(schema))}\n`;
}
