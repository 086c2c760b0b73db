import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { keptSince } from './import-plan.finder.js';
import { failImportPlans } from './import-plan.jobs.js';
import { endImportPlan } from './run-import-plan.js';

const AT_ONCE = 100;

/**
 * Removes plans whose hour is over, and ends those whose job will never run, as jobs that somebody deleted. Safe to
 * repeat.
 * @param jobs names of the kinds of jobs that make plans
 */
export async function sweepImportPlans(
  ctx: Context,
  jobs: readonly string[],
): Promise<{ expired: number; lost: number }> {
  const expired = await ctx.transaction(() =>
    ctx.query(sql`delete from import_plans p where p.created_at <= ${keptSince(ctx)} returning p.id`),
  );
  const lost = await ctx.query<{ id: number }>(sql`
    select p.id as "id" from import_plans p
     where p.status = 'waiting' and not exists (
       select 1 from pgboss.job j
        where j.name = any(${[...jobs, failImportPlans.name]}::text[]) and j.state in ('created', 'retry', 'active')
          and j.data ->> 'plan_id' = p.id::text)
     order by p.id limit ${AT_ONCE}`);
  for (const { id } of lost) await endImportPlan(ctx, id, { reason: 'The job of the plan was lost.' });
  return { expired: expired.length, lost: lost.length };
}
