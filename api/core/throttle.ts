import type { Context as KoaContext } from 'koa';
import { ANONYMOUS, countedAs, loggedAs } from '../../shared/core/context/callers.js';
import type { Caller } from '../../shared/core/context/callers.js';
import type { Origin } from '../../shared/core/context/context.js';
import type { Usage } from '../../shared/core/rate-limits/rate-limiter.js';
import type { ApiServices } from './services.js';

/** The headers of the global throttle (rest-conventions.md section 8). `RateLimit-Limit` is per minute, rounded up. */
function throttleHeaders(usage: Usage): Record<string, string> {
  return {
    'RateLimit-Name': usage.name,
    'RateLimit-Limit': String(Math.ceil((usage.allowed * 60) / usage.periodSeconds)),
    'RateLimit-Observed': String(usage.observed),
    'RateLimit-Remaining': String(Math.max(usage.allowed - usage.observed, 0)),
    'RateLimit-Reset': String(usage.resetAtSeconds),
    'RateLimit-ResetTime': new Date(usage.resetAtSeconds * 1000).toUTCString(),
  };
}

/**
 * Counts an API request once while throttling is enabled: for its caller, or for the IP address of an anonymous caller.
 * Every response then reports the remaining quota in headers. A request that fails before its caller is known (unknown
 * route, unreadable body, invalid token) counts for its address.
 * @returns false if the limit is exceeded: the response is then already written, and processing must stop
 */
export async function throttle(services: ApiServices, koa: KoaContext, caller: Caller = ANONYMOUS): Promise<boolean> {
  if (koa.state.counted === true) return true;
  koa.state.counted = true;
  const name = caller.kind === 'anonymous' ? 'throttle_unauthenticated_api' : 'throttle_authenticated_api';
  const usage = await services.limiter.consume(name, countedAs(caller, (koa.state.origin as Origin).ip));
  if (!usage) return true;
  koa.set(throttleHeaders(usage));
  if (!usage.exceeded) return true;
  answerThrottled(services, koa, caller, usage);
  return false;
}

/** Answers a request that was one too many. */
export function answerThrottled(services: ApiServices, koa: KoaContext, caller: Caller, usage: Usage): void {
  koa.set({ ...throttleHeaders(usage), 'Retry-After': String(usage.retryAfterSeconds) });
  koa.status = 429;
  koa.body = 'Retry later\n';
  koa.set('Content-Type', 'text/plain');
  services.log.info({ limit: usage.name, ...loggedAs(caller), observed: usage.observed }, 'rate_limit.refused');
}
