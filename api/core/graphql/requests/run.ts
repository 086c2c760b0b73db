import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import type { UserOrAnonymous } from '../../../../shared/core/context/callers.js';
import { graphqlAnswered } from '../../../../shared/core/metrics/count.js';
import type { GraphqlOutcome } from '../../../../shared/core/metrics/count.js';
import { executeQuery } from './apollo.js';
import { introspectionText } from './introspection-texts.js';
import { documentCache, ANONYMOUS_LIMITS, prepare, SIGNED_IN_LIMITS, tooComplex, unchecked } from './prepare.js';
import type { Entry, Prepared } from './prepare.js';
import { presentError } from '../errors.js';
import { tooMany } from '../nodes.js';
import type { NodeCount } from '../nodes.js';
import { GraphqlRequest } from '../request.js';
import type { Execution } from '../request.js';

/** Maximum number of errors reported per query; a large response that timed out has one for each node. */
const MAX_ERRORS = 100;

export interface GraphqlAnswer {
  data?: unknown;
  errors?: GraphQLFormattedError[];
  /** The whole response as JSON, if it is cached. */
  text?: string;
}

const getLimits = (caller: UserOrAnonymous) => (caller.anonymous ? ANONYMOUS_LIMITS : SIGNED_IN_LIMITS);

/** What several queries may make together. */
function getSum(prepared: readonly Prepared[]): NodeCount {
  const total = { nodes: 0, introspected: 0 };
  for (const one of prepared) {
    total.nodes += one.nodeCount.nodes;
    total.introspected += one.nodeCount.introspected;
  }
  return total;
}

/**
 * Checks the queries of one HTTP request, each for itself and all of them together, before any of them runs. To check
 * one that is not known may be work for a fifth of a second, so others have their turn before the next.
 */
export async function prepareAll(
  { ctx, scheduler, time }: Execution,
  schema: GraphQLSchema,
  entries: readonly Entry[],
): Promise<Prepared[]> {
  const limits = getLimits(ctx.caller);
  const prepared: Prepared[] = [];
  for (const entry of entries) {
    if (prepared.length > 0) await scheduler.settled();
    if (!documentCache(schema).has(entry.query)) await scheduler.turn();
    const started = performance.now();
    const one = time.over ? unchecked(schema, entry) : prepare(schema, entry, limits);
    prepared.push({ ...one, checkSeconds: (performance.now() - started) / 1000 });
  }
  if (prepared.length < 2) return prepared;
  const score = prepared.reduce((sum, one) => sum + one.score, 0);
  const error = score > limits.complexity ? tooComplex(score, limits.complexity) : tooMany(getSum(prepared));
  return error ? prepared.map((one) => ({ ...one, errors: [error] })) : prepared;
}

/**
 * Runs one checked query.
 * @throws Overloaded, ClientGone
 */
async function run(execution: Execution, prepared: Prepared): Promise<GraphqlAnswer> {
  const started = performance.now();
  let outcome: GraphqlOutcome = 'error';
  try {
    const answer = await answerTo(execution, prepared);
    if (prepared.errors.length > 0) outcome = 'refused';
    else if (!answer.errors) outcome = 'ok';
    return answer;
  } finally {
    const seconds = prepared.checkSeconds + (performance.now() - started) / 1000;
    graphqlAnswered(prepared.operation?.operation ?? 'none', outcome, seconds, prepared.score);
  }
}

async function answerTo(execution: Execution, prepared: Prepared): Promise<GraphqlAnswer> {
  const { document, errors } = prepared;
  if (errors.length > 0 || !document) return { errors };
  const text = await introspectionText(prepared, () => executed(execution, prepared));
  return text === null ? executed(execution, prepared) : { text };
}

async function executed(execution: Execution, { schema, entry, score }: Prepared): Promise<GraphqlAnswer> {
  const { ctx } = execution;
  const request = new GraphqlRequest(execution, score, getLimits(ctx.caller).complexity);
  const { data, errors: raised } = await executeQuery(schema, entry, request);
  const reportedErrors = raised.slice(0, MAX_ERRORS);
  return {
    ...(data === undefined ? {} : { data }),
    ...(reportedErrors.length > 0 ? { errors: reportedErrors.map((error) => presentError(error, ctx)) } : {}),
  };
}

/**
 * Runs checked queries one after the other, so that later queries see the changes of earlier ones, within the time
 * limit of one request. No work continues after the response.
 * @throws Overloaded, ClientGone
 */
export async function runAll(execution: Execution, prepared: readonly Prepared[]): Promise<GraphqlAnswer[]> {
  const answers: GraphqlAnswer[] = [];
  try {
    for (const one of prepared) answers.push(await run(execution, one));
  } finally {
    execution.time.end();
  }
  return answers;
}
