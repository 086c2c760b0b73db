import { networkOf } from './client-network.js';
import type { Context } from './context.js';
import { RateLimited } from './errors.js';
import type { LimitName } from './limits.js';
import type { LimitKey } from './rate-limiter.js';

/**
 * Counts one action of the caller, by user, or by address where nobody is signed in. An operation's `limit` is
 * counted before it runs; one that depends on what the operation finds is counted by the operation itself.
 * @param about what the action is about, where the limit counts that too: `[group.id]`
 * @throws RateLimited when it was one too many
 */
export async function countAction(ctx: Context, name: LimitName, about: LimitKey = []): Promise<void> {
  const { user } = ctx.caller;
  const who = user ? ['user', user.id] : ['address', networkOf(ctx.origin.ip)];
  const { limiter } = ctx.services;
  const { anonymous } = limiter.limits[name];
  const usage = await limiter.spend(name, [...who, ...about], user ? undefined : anonymous);
  if (!usage?.refused) return;
  ctx.log.info({ limit: name, user_id: user?.id, observed: usage.observed }, 'rate_limit.refused');
  throw new RateLimited(usage.retryAfterSeconds);
}
