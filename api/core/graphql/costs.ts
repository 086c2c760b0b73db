import type { DocumentNode, GraphQLSchema } from 'graphql';
import { fieldExtensionsEstimator, getComplexity } from 'graphql-query-complexity';
import type { ComplexityEstimatorArgs } from 'graphql-query-complexity';

/** Maximum and default number of nodes per page (graphql.md section 2). */
export const MAX_PAGE = 100;

function hasArgument({ args, node }: ComplexityEstimatorArgs, name: string): boolean {
  // A default value of the schema does not count: the caller did not pass the argument.
  const passed = node.arguments?.some((argument) => argument.name.value === name) ?? false;
  return passed && args[name] !== undefined && args[name] !== null;
}

function ownCost(field: ComplexityEstimatorArgs): number {
  return 1 + (hasArgument(field, 'sort') ? 1 : 0) + (hasArgument(field, 'search') ? 5 : 0);
}

function pageSize({ args }: ComplexityEstimatorArgs): number {
  const sizes = [args.first, args.last].filter((size): size is number => typeof size === 'number');
  return Math.max(Math.min(...sizes, MAX_PAGE), 0);
}

/** Cost of a field that needs a look-up of its own: `{ complexity: lookup }` (graphql.md section 2.1). */
export function lookup(field: ComplexityEstimatorArgs): number {
  return field.childComplexity + ownCost(field);
}

/** Cost of a connection read for this field: a full page of 100 doubles it, choosing entries by iid does not. */
export function paged(field: ComplexityEstimatorArgs): number {
  const cost = lookup(field);
  if (hasArgument(field, 'iid') || hasArgument(field, 'iids')) return cost;
  return cost + Math.floor((cost * pageSize(field)) / MAX_PAGE);
}

/** Introspection is free: it is the same for everybody and reads no records. */
function introspection({ field }: ComplexityEstimatorArgs): number | void {
  return field.name === '__schema' || field.name === '__type' ? 0 : undefined;
}

/** Fields that declare no cost: 1 each. */
const plain = ({ childComplexity }: ComplexityEstimatorArgs) => childComplexity + 1;

const estimators = [introspection, fieldExtensionsEstimator(), plain];

/**
 * The complexity score of one operation, with fragments expanded and `@skip` and `@include` applied.
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
