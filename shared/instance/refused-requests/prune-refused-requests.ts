import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/** So long a refusal is told. */
const KEPT = sql`interval '1 hour'`;

/** Removes refusals that are older than an hour. Repeated it removes nothing. */
export async function pruneRefusedRequests(ctx: Context): Promise<number> {
  const [removed] = await ctx.query<{ count: number }>(sql`
    with gone as (delete from refused_requests q where q.created_at < ${ctx.clock.now()}::timestamptz - ${KEPT} returning 1)
    select count(*)::int as "count" from gone`);
  return removed?.count ?? 0;
}
