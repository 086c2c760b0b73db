import { countedAs, loggedAs } from '../context/callers.js';
import type { Caller } from '../context/callers.js';
import type { Context } from '../context/context.js';
import { RateLimited } from '../values/errors.js';
import type { LimitName } from '../rate-limits/limits.js';
import type { LimitKey } from '../rate-limits/rate-limiter.js';

/**
 * Counts one action of the caller: by kind and id, or by address if anonymous. An operation's `limit` is counted before
 * it runs; limits that depend on the resource are counted by the operation itself.
 * @param about the resource of the action, if the limit counts it as well: `[group.id]`
 * @throws RateLimited when the limit is exceeded
 */
export async function countAction(ctx: Context<Caller>, name: LimitName, about: LimitKey = []): Promise<void> {
  const { caller, origin } = ctx;
  const { limiter } = ctx.services;
  const { anonymous } = limiter.limits[name];
  const usage = await limiter.consume(
    name,
    [...countedAs(caller, origin.ip), ...about],
    caller.kind === 'anonymous' ? anonymous : undefined,
  );
  if (!usage?.exceeded) return;
  ctx.log.info({ limit: name, ...loggedAs(caller), observed: usage.observed }, 'rate_limit.refused');
  throw new RateLimited(usage.retryAfterSeconds);
}
