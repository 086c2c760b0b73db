import { expressionBuilder, sql } from 'kysely';
import type { AliasableExpression } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { rowPageNotification } from '../../core/page-changes/page-changes.js';
import type { CiDatabase } from '../ci.entities.js';
import { endJobs } from '../processing/end-jobs.js';
import { lockPipelines, requestProcessing } from '../processing/request-processing.js';
import { MOST_HANDOUTS } from './decide-handout.js';
import { enqueueJobs } from '../job-queue/enqueue-jobs.js';
import { loadUptimes } from '../uptimes/uptimes.js';

/** The channel on which workers hear that a hand-out waits to be acknowledged. */
export const HANDOUTS_CHANNEL = 'capstan_handouts';

/** SQL that has workers look after hand-outs that wait to be acknowledged. */
export const acknowledgementNotification = (): AliasableExpression<void> =>
  expressionBuilder().fn<void>('pg_notify', [constant(HANDOUTS_CHANNEL), constant('')]);

/** Hand-outs that one transaction takes back at most. */
const BATCH = 100;

/** A hand-out that its runner has not acknowledged. */
interface UnacknowledgedRun {
  id: number;
  job_id: number;
  pipeline_id: number;
}

/** Makes jobs pending again for any runner: their tokens are worthless from now on. Their pipelines are locked. */
async function takeBack(ctx: Context<Caller>, runIds: readonly number[], counts: boolean): Promise<number[]> {
  const rows = await ctx.em
    .getKysely<CiDatabase>()
    .with('gone', (db) => db.deleteFrom('job_runs').where('id', '=', anyOf(runIds, 'bigint')).returning('job_id'))
    .updateTable('jobs as j')
    .from('gone as g')
    .set((eb) => ({
      status: 'pending',
      runner_id: null,
      runner_manager_id: null,
      started_at: null,
      updated_at: ctx.clock.now(),
      ...(counts ? {} : { handouts: eb('j.handouts', '-', constant(1)) }),
    }))
    .whereRef('j.id', '=', 'g.job_id')
    .where('j.status', 'in', [constant('pending'), constant('running')])
    .returning(['j.id', rowPageNotification('pipelines', sql.ref('j.project_id')).as('notified')])
    .execute();
  const ids = rows.map(({ id }) => id);
  await enqueueJobs(ctx, ids);
  return ids;
}

/** A hand-out of which its runner got nothing. */
interface ReturnedClaim {
  readonly run_id: number;
  readonly pipeline_id: number;
}

/** Ends a job that was canceled before its runner got anything of it: nobody would report its end. */
async function endCanceled(ctx: Context<Caller>, { run_id, pipeline_id }: ReturnedClaim): Promise<void> {
  const canceled = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('job_runs as x')
    .innerJoin('jobs as j', 'j.id', 'x.job_id')
    .select('j.id as job_id')
    .where('x.id', '=', run_id)
    .where('j.status', '=', constant('canceling'))
    .execute();
  await endJobs(
    ctx,
    canceled.map(({ job_id }) => ({ job_id, pipeline_id, status: 'canceled' })),
  );
}

/**
 * Puts a job back into the queue whose runner got nothing of it: the connection failed before the first byte. It does
 * not count as a hand-out. One that was canceled meanwhile ends.
 * @returns whether it is queued again
 */
export function putBack(ctx: Context<Caller>, claim: ReturnedClaim): Promise<boolean> {
  return ctx.transaction(async () => {
    await lockPipelines(ctx, [claim.pipeline_id]);
    await endCanceled(ctx, claim);
    const ids = await takeBack(ctx, [claim.run_id], false);
    await requestProcessing(ctx, [claim.pipeline_id]);
    return ids.length > 0;
  });
}

const findUnacknowledged = (ctx: Context<Caller>, before: Date) =>
  ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('job_runs as x')
    .innerJoin('jobs as j', 'j.id', 'x.job_id')
    .select(['x.id', 'x.job_id', 'j.pipeline_id', 'j.handouts'])
    .where('x.acknowledged_at', 'is', null)
    .where('x.contacted_at', '<=', before)
    .where('j.status', '=', constant('pending'));

async function takeBackOverdue(
  ctx: Context<Caller>,
  before: Date,
  found: readonly UnacknowledgedRun[],
): Promise<number> {
  await lockPipelines(
    ctx,
    found.map(({ pipeline_id }) => pipeline_id),
  );
  const runIds = found.map(({ id }) => id);
  const overdue = await findUnacknowledged(ctx, before)
    .where('x.id', '=', anyOf(runIds, 'bigint'))
    .orderBy('x.id')
    .forUpdate(['x', 'j'])
    .execute();
  const [failed, others] = [
    overdue.filter(({ handouts }) => handouts >= MOST_HANDOUTS),
    overdue.filter(({ handouts }) => handouts < MOST_HANDOUTS),
  ];
  await takeBack(
    ctx,
    others.map(({ id }) => id),
    true,
  );
  const failure = { status: 'failed', failure_reason: 'scheduler_failure' } as const;
  if (failed.length > 0)
    await endJobs(
      ctx,
      failed.map(({ job_id, pipeline_id }) => ({ job_id, pipeline_id, ...failure })),
    );
  await requestProcessing(
    ctx,
    overdue.map(({ pipeline_id }) => pipeline_id),
  );
  return overdue.length;
}

/**
 * Queues jobs again that runners have not acknowledged in time, and fails those that were handed out too often.
 * @returns how many there were
 */
export async function requeueUnacknowledged(ctx: Context<Caller>): Promise<number> {
  const before = (await loadUptimes(ctx)).before(ctx.settings.ci_job_acknowledgement_seconds);
  const found = await findUnacknowledged(ctx, before).orderBy('x.contacted_at').limit(constant(BATCH)).execute();
  return found.length === 0 ? 0 : ctx.transaction(() => takeBackOverdue(ctx, before, found));
}

/** When the next hand-out is queued again unless it is acknowledged; null if none waits for that. */
export async function findNextRequeue(ctx: Context<Caller>): Promise<Date | null> {
  const [first] = await findUnacknowledged(ctx, ctx.clock.now())
    .clearSelect()
    .select((eb) => eb.fn.min<Date | null>('x.contacted_at').as('contacted_at'))
    .execute();
  const contactedAt = first?.contacted_at;
  if (!contactedAt) return null;
  return (await loadUptimes(ctx)).nextAt(contactedAt, ctx.settings.ci_job_acknowledgement_seconds);
}
