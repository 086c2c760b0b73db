import type { Context } from '../../core/context/context.js';
import { RefusedRequest } from './refused-request.entity.js';

/** Retention of refusals. */
const RETENTION_MS = 3_600_000;

/** Removes refusals that are older than an hour. Repeated it removes nothing. */
export const pruneRefusedRequests = (ctx: Context): Promise<number> =>
  ctx.em.nativeDelete(RefusedRequest, { created_at: { $lt: new Date(ctx.clock.now().getTime() - RETENTION_MS) } });
