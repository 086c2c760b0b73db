import type { DocumentNode, GraphQLSchema } from 'graphql';
import { fieldExtensionsEstimator, getComplexity } from 'graphql-query-complexity';
import type { ComplexityEstimatorArgs } from 'graphql-query-complexity';

/** Maximum and default number of nodes of a page (graphql.md section 2). */
export const MAX_PAGE = 100;

function hasArgument({ args, node }: ComplexityEstimatorArgs, name: string): boolean {
  // A default of the schema does not count as an argument of the caller.
  const written = node.arguments?.some((argument) => argument.name.value === name) ?? false;
  return written && args[name] !== undefined && args[name] !== null;
}

function ownCost(field: ComplexityEstimatorArgs): number {
  return 1 + (hasArgument(field, 'sort') ? 1 : 0) + (hasArgument(field, 'search') ? 5 : 0);
}

function pageSize({ args }: ComplexityEstimatorArgs): number {
  const sizes = [args.first, args.last].filter((size): size is number => typeof size === 'number');
  return Math.max(Math.min(...sizes, MAX_PAGE), 0);
}

/** Cost of a field with a look-up of its own: `{ complexity: lookup }` (graphql.md section 2.1). */
export function lookup(field: ComplexityEstimatorArgs): number {
  return field.childComplexity + ownCost(field);
}

/** Cost of a connection that is read for this field: a full page of 100 doubles it, one entry by its iid does not. */
export function paged(field: ComplexityEstimatorArgs): number {
  const cost = lookup(field);
  if (hasArgument(field, 'iid') || hasArgument(field, 'iids')) return cost;
  return cost + Math.floor((cost * pageSize(field)) / MAX_PAGE);
}

/** Introspection costs nothing; it is the same for everybody and no record is read for it. */
function introspection({ field }: ComplexityEstimatorArgs): number | void {
  return field.name === '__schema' || field.name === '__type' ? 0 : undefined;
}

/** Fields that declare nothing: one each. */
const plain = ({ childComplexity }: ComplexityEstimatorArgs) => childComplexity + 1;

const estimators = [introspection, fieldExtensionsEstimator(), plain];

/**
 * The score of one operation, fragments expanded, `@skip` and `@include` obeyed.
 * @throws GraphQLError when the document has too many selections to be counted
 */
export function computeComplexity(
  schema: GraphQLSchema,
  query: DocumentNode,
  operationName: string | undefined,
  variables: Record<string, unknown>,
): number {
  return getComplexity({ schema, query, variables, estimators, ...(operationName ? { operationName } : {}) });
}
