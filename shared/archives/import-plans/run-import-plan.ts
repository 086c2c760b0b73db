import type { Context, SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { releaseObjects } from '../../core/stored-files/storing.js';
import type { StoredObject } from '../../core/stored-files/stored-object.entity.js';
import { waiterNotification } from '../../core/page-changes/page-changes.js';
import { constant } from '../../core/database/expressions.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { ImportPlan, retentionStart } from './import-plan.entity.js';
import { jobsAreOver } from '../../instance/pg-boss/job-ends.js';
import { actAsSender, ImportAborted } from '../archive-imports/import-state.js';
import { getArchiveProblem } from '../read/archive-rejected.js';
import { failImportPlans } from '../archives.jobs.js';

/** The changes that requests waiting for a plan subscribe to, by its id. */
export const IMPORT_PLAN_CHANGES = 'import_plans';

/** Characters of why a plan failed. */
const LONGEST_REASON = 255;

/** The archive of a plan, as it is stored. */
export type PlannedArchive = Pick<StoredObject, 'key' | 'bytes'>;

/** The result of a plan: what the import would do, or why it could not be planned. */
type PlanResult = { readonly plan: object } | { readonly reason: string };

/** Stores the result of a plan that waits; the archive is released. Safe to repeat. */
export async function closeImportPlan(ctx: Context, planId: number, result: PlanResult): Promise<void> {
  const plan = 'plan' in result ? JSON.stringify(result.plan) : null;
  const reason = 'reason' in result ? result.reason : null;
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
      .returning(waiterNotification(IMPORT_PLAN_CHANGES, planId).as('notified'))
      .execute();
    if (row.object_id !== null) await releaseObjects(ctx, [row.object_id]);
  });
}

/** Why a plan failed, if the archive or the importing user is the cause; null for an internal error. */
const planFailureReason = (error: unknown): string | null =>
  error instanceof Invalid || error instanceof ImportAborted ? error.message : null;

/**
 * Creates a plan as the requesting user. Safe to repeat.
 * @param make creates it from the archive and the stored input
 * @throws errors that the queue should retry
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
    await closeImportPlan(ctx, planId, { plan: await make(acting, { key, bytes }, found.input as I) });
  } catch (error) {
    const reason = planFailureReason(error) ?? getArchiveProblem(error);
    if (reason === null || ctx.signal.aborted) throw error;
    await closeImportPlan(ctx, planId, { reason });
  }
}

const AT_ONCE = 100;

/**
 * Deletes plans older than an hour, and fails those whose job will never run, such as a deleted job. Safe to repeat.
 * @param jobs names of the kinds of jobs that create plans
 */
export async function sweepImportPlans(
  ctx: Context,
  jobs: readonly string[],
): Promise<{ expired: number; lost: number }> {
  const expired = await ctx.transaction(() =>
    ctx.em.nativeDelete(ImportPlan, { created_at: { $lte: retentionStart(ctx) } }),
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
  for (const { id } of lost) await closeImportPlan(ctx, id, { reason: 'The job of the plan was lost.' });
  return { expired, lost: lost.length };
}
