import type { Context as KoaContext } from 'koa';
import { countedAs } from '../../../../shared/core/context/callers.js';
import type { UserOrAnonymous } from '../../../../shared/core/context/callers.js';
import type { Origin } from '../../../../shared/core/context/context.js';
import type { ApiServices } from '../../services.js';
import { answerThrottled } from '../../throttle.js';
import type { Prepared } from './prepare.js';

/** The minimum cost of checking a query, even if it is refused. */
const LEAST = 1;

/**
 * Counts the complexity of a request's queries against the caller's limit per minute, if the instance sets one
 * (`graphql_score_limit`; decisions/0064-graphql-budgets.md). Headers report the remaining budget.
 * @returns false if the limit is exceeded: the response is then already written like a throttled one, and no query may
 * run
 */
export async function isWithinScore(
  services: ApiServices,
  koa: KoaContext,
  caller: UserOrAnonymous,
  prepared: readonly Prepared[],
): Promise<boolean> {
  const score = prepared.reduce((sum, one) => sum + Math.max(one.score, LEAST), 0);
  const key = countedAs(caller, (koa.state.origin as Origin).ip);
  const usage = await services.limiter.consume('graphql_score', key, undefined, score);
  if (!usage) return true;
  koa.set({
    'GraphQL-Score': String(score),
    'GraphQL-Score-Limit': String(usage.allowed),
    'GraphQL-Score-Remaining': String(Math.max(usage.allowed - usage.observed, 0)),
    'GraphQL-Score-Reset': String(usage.resetAtSeconds),
  });
  if (!usage.exceeded) return true;
  answerThrottled(services, koa, caller, usage);
  return false;
}
