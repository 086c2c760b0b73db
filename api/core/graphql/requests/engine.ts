import { assertValidSchema } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { guardFields } from '../guard-fields.js';
import { prepareAll, runAll } from './run.js';
import { withoutDeprecated } from '../schema.js';

/** A class of resolvers, as type-graphql takes it. */
export type ResolverClass = Function;

/** Validates a schema in advance; otherwise the first query would wait for it. */
function sound(schema: GraphQLSchema): GraphQLSchema {
  assertValidSchema(schema);
  return schema;
}

/** Builds the schema of the passed resolvers and wraps every field with the common rules. */
export function buildGraphqlSchema([first, ...others]: readonly ResolverClass[]): GraphQLSchema {
  if (!first) throw new Error('GraphQL has no resolvers.');
  // The check is an introspection of the whole schema; a test does it instead of every start.
  const schema = buildSchemaSync({ resolvers: [first, ...others], validate: false, skipCheck: true });
  guardFields(schema);
  return sound(schema);
}

/** The schema in its two variants, and what checks and runs queries on it. One for each process. */
export class GraphqlEngine {
  #future: GraphQLSchema | undefined;
  readonly prepareAll = prepareAll;
  readonly runAll = runAll;

  constructor(readonly schema: GraphQLSchema) {}

  /** The current schema, or the schema without deprecated items. */
  variant(removeDeprecated: boolean): GraphQLSchema {
    return removeDeprecated ? (this.#future ??= sound(withoutDeprecated(this.schema))) : this.schema;
  }
}
