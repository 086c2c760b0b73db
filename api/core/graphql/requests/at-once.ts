import { countKey, loggedAs } from '../../../../shared/core/callers.js';
import type { Caller } from '../../../../shared/core/callers.js';
import { RateLimited } from '../../../../shared/core/errors.js';
import type { ApiServices } from '../../services.js';

/** What is under way in this process for each caller. */
const running = new Map<string, number>();

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
  const before = running.get(key) ?? 0;
  if (most > 0 && before >= most) {
    log.info({ limit: 'graphql_requests_at_once', ...loggedAs(caller), observed: before + 1 }, 'rate_limit.refused');
    throw new RateLimited(1);
  }
  running.set(key, before + 1);
  try {
    return await work();
  } finally {
    const left = (running.get(key) ?? 1) - 1;
    if (left > 0) running.set(key, left);
    else running.delete(key);
  }
}
