import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { LimitName } from '../../core/rate-limits/limits.js';
import { RateLimited } from '../../core/values/errors.js';

/** What programs of runners may do so often. */
type RunnerLimit = Extract<LimitName, `runner_jobs_${string}`>;

/**
 * Counts a request by its token, whether there is such a token or not.
 * @throws RateLimited, with the headers from which runners read how long to wait
 */
export async function countRunnerRequest(ctx: Context<Caller>, name: RunnerLimit, token: string): Promise<void> {
  const { limiter, keys } = ctx.services;
  const usage = await limiter.consume(name, ['token', keys.digest(token).toString('base64url')]);
  if (!usage?.exceeded) return;
  ctx.log.info({ limit: name, observed: usage.observed }, 'rate_limit.refused');
  const resetTime = new Date(usage.resetAtSeconds * 1000).toUTCString();
  throw new RateLimited(usage.retryAfterSeconds).withHeaders({ 'RateLimit-ResetTime': resetTime });
}
