import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import type { Context } from '../../../shared/core/context.js';
import { executeQuery } from './apollo.js';
import { presentError } from './errors.js';
import { ANONYMOUS_LIMITS, prepare, SIGNED_IN_LIMITS, tooComplex } from './prepare.js';
import type { Entry, Prepared } from './prepare.js';
import { GraphqlRequest } from './request.js';

/** How long one query may run (graphql.md section 2). */
const TIME_LIMIT_MS = 30_000;

export interface GraphqlAnswer {
  data?: unknown;
  errors?: GraphQLFormattedError[];
}

function limitsOf(ctx: Context) {
  return ctx.caller.anonymous ? ANONYMOUS_LIMITS : SIGNED_IN_LIMITS;
}

/** Checks the queries of one HTTP request, each for itself and all of them together, before any of them runs. */
export function prepareAll(ctx: Context, schema: GraphQLSchema, entries: readonly Entry[]): Prepared[] {
  const limits = limitsOf(ctx);
  const prepared = entries.map((entry) => prepare(schema, entry, limits));
  const total = prepared.reduce((sum, { score }) => sum + score, 0);
  if (prepared.length < 2 || total <= limits.complexity) return prepared;
  return prepared.map((one) => ({ ...one, errors: [tooComplex(total, limits.complexity)] }));
}

/**
 * Runs one checked query.
 * @throws Overloaded, ClientGone
 */
async function run(ctx: Context, prepared: Prepared): Promise<GraphqlAnswer> {
  const { schema, document, entry, errors, score } = prepared;
  if (errors.length > 0 || !document) return { errors };
  const deadline = performance.now() + TIME_LIMIT_MS;
  const request = new GraphqlRequest(ctx, score, limitsOf(ctx).complexity, deadline);
  const { data, errors: raised } = await executeQuery(schema, entry, request);
  return {
    ...(data === undefined ? {} : { data }),
    ...(raised.length > 0 ? { errors: raised.map((error) => presentError(error, ctx.log)) } : {}),
  };
}

/** Runs checked queries one after the other, so that a later one sees what an earlier one did. */
export async function runAll(ctx: Context, prepared: readonly Prepared[]): Promise<GraphqlAnswer[]> {
  const answers: GraphqlAnswer[] = [];
  for (const one of prepared) answers.push(await run(ctx, one));
  return answers;
}
