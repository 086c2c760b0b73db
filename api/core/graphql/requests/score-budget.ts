import type { Context as KoaContext } from 'koa';
import { countedAs } from '../../../../shared/core/context/callers.js';
import type { UserOrAnonymous } from '../../../../shared/core/context/callers.js';
import type { Origin } from '../../../../shared/core/context/context.js';
import type { ApiServices } from '../../services.js';
import { answerThrottled } from '../../throttle.js';
import type { Prepared } from './prepare.js';

/** What checking a query costs at least, also where it is refused. */
const LEAST = 1;

/**
 * Counts the complexity of a request's queries against what its caller may ask for in a minute, where the instance sets
 * a limit (`graphql_score_limit`; decisions/0064-graphql-budgets.md). Headers tell what is left.
 * @returns false when it was too much: then the answer is written as a throttle writes it, and nothing may run
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
