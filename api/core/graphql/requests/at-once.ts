import { countKey, loggedAs } from '../../../../shared/core/context/callers.js';
import type { Caller } from '../../../../shared/core/context/callers.js';
import { RateLimited } from '../../../../shared/core/values/errors.js';
import { Limiter } from '../../../../shared/core/values/limiter.js';
import type { ApiServices } from '../../services.js';

/** What is under way in this process for each caller. */
const limiter = new Limiter({ capacity: Infinity });

/**
 * Does something while it counts as one of the caller's queries, of which a process answers so many at once. They are
 * refused, not kept waiting: who waits holds memory and a connection too.
 * @throws RateLimited when as many are under way as may be
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
