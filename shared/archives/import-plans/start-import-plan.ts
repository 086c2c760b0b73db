import type { SignedInContext } from '../../core/context.js';
import { Overloaded, RateLimited } from '../../core/errors.js';
import type { JobKind } from '../../core/jobs.js';
import type { StoredFile } from '../../core/object-store/stored-file.js';
import { sql } from '../../core/sql.js';
import { ImportPlan } from './import-plan.entity.js';
import { findImportPlan, keptSince } from './import-plan.operations.js';
import type { PlanJob } from '../archive-imports/archive-import.jobs.js';
import type { ImportPlanRecord } from './import-plan.entity.js';

/** Plans that wait for their job, and those of the last hour that are kept, at most. */
const MOST = { user: { waiting: 5, kept: 20 }, instance: { waiting: 100, kept: 1_000 } };
const RETRY_AFTER_SECONDS = 30;

interface Counts {
  waiting: number;
  kept: number;
}

const isFull = (counts: Counts, most: Counts) => counts.waiting >= most.waiting || counts.kept >= most.kept;

/** @throws RateLimited for users who have too many, Overloaded where the instance has */
async function requireCapacity(ctx: SignedInContext): Promise<void> {
  // Those who come at the same time are counted one after the other.
  await ctx.query(sql`select pg_advisory_xact_lock(hashtextextended('import plans', 0))`);
  const counts = await ctx.queryOne<Record<'user' | 'instance', Counts>>(sql`
    select jsonb_build_object('waiting', count(*) filter (where p.status = 'waiting'), 'kept', count(*)) as "instance",
           jsonb_build_object('waiting', count(*) filter (where p.status = 'waiting' and p.user_id = ${ctx.caller.id}),
                              'kept', count(*) filter (where p.user_id = ${ctx.caller.id})) as "user"
      from import_plans p where p.created_at > ${keptSince(ctx)}`);
  if (counts && isFull(counts.user, MOST.user)) throw new RateLimited(RETRY_AFTER_SECONDS);
  if (counts && isFull(counts.instance, MOST.instance)) throw new Overloaded(RETRY_AFTER_SECONDS);
}

/**
 * Has a job plan the import of an archive.
 * @param job makes plans of this kind
 * @param input what it needs beside the archive
 * @throws RateLimited, Overloaded
 */
export async function startImportPlan(
  ctx: SignedInContext,
  job: JobKind<PlanJob>,
  { kind, file, input }: { kind: 'group' | 'project'; file: StoredFile; input: object },
): Promise<ImportPlanRecord> {
  await requireCapacity(ctx);
  const plan_id = await ctx.em.insert(ImportPlan, {
    user_id: ctx.caller.id,
    kind,
    object_id: await file.object.keep(ctx),
    input: input as Record<string, unknown>,
    status: 'waiting',
    reason: null,
    plan: null,
    created_at: ctx.clock.now(),
    finished_at: null,
  });
  await ctx.jobs.send(job, { plan_id });
  return findImportPlan(ctx, plan_id);
}
