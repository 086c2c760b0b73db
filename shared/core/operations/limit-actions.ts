import { countedAs, loggedAs } from '../context/callers.js';
import type { Caller } from '../context/callers.js';
import type { Context } from '../context/context.js';
import { RateLimited } from '../values/errors.js';
import type { LimitName } from '../rate-limits/limits.js';
import type { LimitKey } from '../rate-limits/rate-limiter.js';

/**
 * Counts one action of the caller: by kind and id, or by address where it is anonymous. An operation's `limit` is
 * counted before it runs; one that depends on what the operation finds is counted by the operation itself.
 * @param about what the action is about, where the limit counts that too: `[group.id]`
 * @throws RateLimited when it was one too many
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
