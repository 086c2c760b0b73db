import type { Context, SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { releaseObjects } from '../../core/stored-files/storing.js';
import type { StoredObject } from '../../core/stored-files/stored-object.entity.js';
import { toldToWaiting } from '../../core/page-changes/page-changes.js';
import { constant } from '../../core/database/expressions.js';
import { toExpression } from '../../core/database/fragments.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { ImportPlan } from './import-plan.entity.js';
import { jobsAreOver } from '../../instance/pg-boss/job-ends.js';
import { actAsSender, ImportEnded } from '../archive-imports/import-state.js';
import { problemOf } from '../read/archive-refused.js';
import { keptSince } from './import-plan.operations.js';
import { failImportPlans } from '../archive-imports/archive-import.jobs.js';

/** What requests that wait for a plan hear of, by its id. */
export const PLANS_HEARD = 'import_plans';

/** Characters of why a plan failed. */
const LONGEST_REASON = 255;

/** The archive of a plan, as it is stored. */
export type PlannedArchive = Pick<StoredObject, 'key' | 'bytes'>;

/** How a plan ended: with what the import would do, or with why nobody knows. */
type PlanEnd = { readonly plan: object } | { readonly reason: string };

/** Ends a plan that waits; the archive goes. Safe to repeat. */
export async function endImportPlan(ctx: Context, planId: number, end: PlanEnd): Promise<void> {
  const plan = 'plan' in end ? JSON.stringify(end.plan) : null;
  const reason = 'reason' in end ? end.reason : null;
  await ctx.transaction(async () => {
    const db = ctx.em.getKysely<ArchivesDatabase>();
    const row = await db
      .selectFrom('import_plans as p')
      .select('p.object_id')
      .where('p.id', '=', planId)
      .where('p.status', '=', constant('waiting'))
      .forUpdate()
      .executeTakeFirst();
    if (!row) return;
    await db
      .updateTable('import_plans as p')
      .set((eb) => ({
        status: plan === null ? 'failed' : 'finished',
        plan: eb.cast<object | null>(eb.val(plan), 'jsonb'),
        reason: eb.fn<string | null>('left', [eb.cast(eb.val(reason), 'text'), constant(LONGEST_REASON)]),
        object_id: null,
        finished_at: ctx.clock.now(),
      }))
      .where('p.id', '=', planId)
      .returning(toExpression<unknown>(toldToWaiting(PLANS_HEARD, planId)).as('told'))
      .execute();
    if (row.object_id !== null) await releaseObjects(ctx, [row.object_id]);
  });
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
  const found = await ctx.em
    .getKysely<ArchivesDatabase>()
    .selectFrom('import_plans as p')
    .innerJoin('stored_objects as o', 'o.id', 'p.object_id')
    .select(['p.user_id', 'p.input', 'o.key', 'o.bytes'])
    .where('p.id', '=', planId)
    .where('p.status', '=', constant('waiting'))
    .executeTakeFirst();
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
    ctx.em.nativeDelete(ImportPlan, { created_at: { $lte: keptSince(ctx) } }),
  );
  const lost = await ctx.em
    .getKysely<ArchivesDatabase>()
    .selectFrom('import_plans as p')
    .select('p.id')
    .where('p.status', '=', constant('waiting'))
    .where((eb) => jobsAreOver([...jobs, failImportPlans.name], 'plan_id', eb.cast(eb.ref('p.id'), 'text')))
    .orderBy('p.id')
    .limit(AT_ONCE)
    .execute();
  for (const { id } of lost) await endImportPlan(ctx, id, { reason: 'The job of the plan was lost.' });
  return { expired, lost: lost.length };
}
