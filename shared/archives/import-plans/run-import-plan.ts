import type { Context, SignedInContext } from '../../core/context.js';
import { Invalid } from '../../core/errors.js';
import { releaseObjects } from '../../core/object-store/storing.js';
import type { StoredObject } from '../../core/object-store/stored-object.entity.js';
import { toldToWaiting } from '../../core/page-changes/page-changes.js';
import { raw, sql } from '../../core/sql.js';
import { jobsAreOver } from '../../instance/pg-boss/job-ends.js';
import { actAsSender, ImportEnded } from '../archive-imports/import-state.js';
import { problemOf } from '../read/archive-refused.js';
import { keptSince } from './import-plan.operations.js';
import { failImportPlans } from '../archive-imports/archive-import.jobs.js';

/** What requests that wait for a plan hear of, by its id. */
export const PLANS_HEARD = 'import_plans';

/** The archive of a plan, as it is stored. */
export type PlannedArchive = Pick<StoredObject, 'key' | 'bytes'>;

/** How a plan ended: with what the import would do, or with why nobody knows. */
type PlanEnd = { readonly plan: object } | { readonly reason: string };

/** Ends a plan that waits; the archive goes. Safe to repeat. */
export async function endImportPlan(ctx: Context, planId: number, end: PlanEnd): Promise<void> {
  const plan = 'plan' in end ? JSON.stringify(end.plan) : null;
  const reason = 'reason' in end ? end.reason : null;
  await ctx.transaction(async () => {
    const row = await ctx.queryOne<{ object_id: number | null }>(sql`
      select p.object_id as "object_id" from import_plans p where p.id = ${planId} and p.status = 'waiting' for update`);
    if (!row) return;
    await ctx.query(sql`
      update import_plans p
         set status = ${plan === null ? 'failed' : 'finished'}, plan = ${plan}::jsonb, reason = left(${reason}::text, 255),
             object_id = null, finished_at = ${ctx.clock.now()}
       where p.id = ${planId} returning ${toldToWaiting(PLANS_HEARD, planId)} as "told"`);
    if (row.object_id !== null) await releaseObjects(ctx, [row.object_id]);
  });
}

interface WaitingPlan extends PlannedArchive {
  user_id: number;
  input: unknown;
}

/** Why a plan ends for a reason of the archive's or of whoever sent it; null for a fault of ours. */
const endingReason = (error: unknown): string | null =>
  error instanceof Invalid || error instanceof ImportEnded ? error.message : null;

/**
 * Makes a plan, as whoever asked for it. Safe to repeat.
 * @param make makes it of the archive and of what was kept for it
 * @throws what the queue shall try again
 */
export async function runImportPlan<I>(
  ctx: Context,
  planId: number,
  make: (ctx: SignedInContext, archive: PlannedArchive, input: I) => Promise<object>,
): Promise<void> {
  const found = await ctx.queryOne<WaitingPlan>(sql`
    select p.user_id as "user_id", p.input as "input", o.key as "key", o.bytes as "bytes"
      from import_plans p join stored_objects o on o.id = p.object_id
     where p.id = ${planId} and p.status = 'waiting'`);
  if (!found) return;
  try {
    const acting = await actAsSender(ctx, found.user_id);
    const { key, bytes } = found;
    await endImportPlan(ctx, planId, { plan: await make(acting, { key, bytes }, found.input as I) });
  } catch (error) {
    const reason = endingReason(error) ?? problemOf(error);
    if (reason === null || ctx.signal.aborted) throw error;
    await endImportPlan(ctx, planId, { reason });
  }
}

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
     where p.status = 'waiting' and ${jobsAreOver([...jobs, failImportPlans.name], 'plan_id', raw('p.id::text'))}
     order by p.id limit ${AT_ONCE}`);
  for (const { id } of lost) await endImportPlan(ctx, id, { reason: 'The job of the plan was lost.' });
  return { expired: expired.length, lost: lost.length };
}
