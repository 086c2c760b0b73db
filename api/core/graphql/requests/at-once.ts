import { countKey, loggedAs } from '../../../../shared/core/context/callers.js';
import type { Caller } from '../../../../shared/core/context/callers.js';
import { RateLimited } from '../../../../shared/core/values/errors.js';
import { Limiter } from '../../../../shared/core/values/limiter.js';
import type { ApiServices } from '../../services.js';

/** Running queries of each caller in this process. */
const limiter = new Limiter({ capacity: Infinity });

/**
 * Runs an action that counts as one of the caller's concurrent queries, whose number is limited per process. Excess
 * queries are refused instead of queued, because a waiting query holds memory and a connection too.
 * @throws RateLimited if the limit is reached
 */
export async function countedAtOnce<R>(
  { settings, log }: ApiServices,
  caller: Caller,
  address: string | null,
  work: () => Promise<R>,
): Promise<R> {
  const key = countKey(caller, address);
  const most = settings.current.graphql_requests_at_once_limit;
  const shares = [{ key, limit: most > 0 ? most : Infinity }];
  if (!limiter.tryTake(shares)) {
    const observed = limiter.heldBy(key) + 1;
    log.info({ limit: 'graphql_requests_at_once', ...loggedAs(caller), observed }, 'rate_limit.refused');
    throw new RateLimited(1);
  }
  try {
    return await work();
  } finally {
    limiter.release(shares);
  }
}
