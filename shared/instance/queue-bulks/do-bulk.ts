import { sql } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { columns } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import type { InstanceDatabase } from '../instance.entities.js';
import { actOnJobs } from '../pg-boss/act-on-jobs.js';
import { QueueBulk } from './queue-bulk.entity.js';
import { getBulkFilter } from './queue-bulk.record.js';
import type { BulkRecord } from './queue-bulk.record.js';
import { bulkJob as kind } from '../queue-jobs/queue-job.jobs.js';
import { cursorTime, selectJobs } from '../pg-boss/search-jobs.js';
import type { JobKey, JobPosition } from '../pg-boss/search-jobs.js';

const STEP = 2_000;

type Bulk = BulkRecord & { cursor: string | null };

/**
 * The next jobs of a bulk action, in the order they were sent. Excludes jobs sent after its request, and the jobs that
 * run bulk actions: it must terminate, and must not cancel itself.
 */
function nextJobs(ctx: Context, bulk: Bulk): Promise<JobKey[]> {
  const filter = getBulkFilter(bulk.filter);
  const { created_before: before } = filter;
  const until = before && before < bulk.created_at ? before : bulk.created_at;
  const after: JobPosition | undefined =
    bulk.cursor !== null && bulk.cursor_id ? { at: bulk.cursor, id: bulk.cursor_id } : undefined;
  const jobs = selectJobs({ ...filter, created_before: until }, { sort: 'asc', after, limit: STEP });
  return ctx.em
    .getKysely<InstanceDatabase>()
    .selectFrom(jobs.as('j'))
    .select((eb) => ['j.name as queue', eb.cast<string>('j.id', 'text').as('id'), cursorTime.as('at')])
    .orderBy('j.created_on')
    .orderBy('j.id')
    .execute();
}

async function step(ctx: Context, id: number): Promise<boolean> {
  const db = ctx.em.getKysely<InstanceDatabase>();
  const bulk = await db
    .selectFrom('queue_bulks as b')
    .select(columns(QueueBulk, 'b'))
    .select(({ fn }) => {
      const utc = fn('timezone', [constant('UTC'), 'b.cursor_at']);
      return fn<string | null>('to_char', [utc, constant('YYYY-MM-DD"T"HH24:MI:SS.US"Z"')]).as('cursor');
    })
    .where('b.id', '=', id)
    .where('b.finished_at', 'is', null)
    .forUpdate()
    .$castTo<Bulk>()
    .executeTakeFirst();
  if (!bulk) return false;
  const jobs = await nextJobs(ctx, bulk);
  const matched = jobs.filter(({ queue }) => queue !== kind.name);
  const done = await actOnJobs(ctx, bulk.action, matched);
  const last = jobs.at(-1);
  const more = jobs.length === STEP;
  await db
    .updateTable('queue_bulks')
    .set((eb) => ({
      matched: eb('matched', '+', matched.length),
      affected: eb('affected', '+', done.length),
      skipped: eb('skipped', '+', matched.length - done.length),
      // To the microsecond, which a Date does not hold.
      ...(last ? { cursor_at: eb.cast<Date>(eb.val(last.at), 'timestamptz'), cursor_id: last.id } : {}),
      finished_at: more ? null : ctx.clock.now(),
    }))
    .where('id', '=', id)
    .execute();
  if (!more) ctx.record({ type: 'queue_jobs.bulk_finished', ...(await finished(ctx, id)) });
  return more;
}

const finished = (ctx: Context, id: number) =>
  ctx.em
    .getKysely<InstanceDatabase>()
    .selectFrom('queue_bulks as b')
    .select(['b.id', 'b.action', 'b.matched', 'b.affected', 'b.skipped'])
    .$narrowType<{ action: BulkRecord['action'] }>()
    .where('b.id', '=', id)
    .executeTakeFirstOrThrow();

/**
 * Runs a bulk action to its end, from its current position: each step is one transaction that includes its progress.
 */
export const doBulk = (ctx: Context, id: number): Promise<void> =>
  inSteps(ctx, () => ctx.transaction(() => step(ctx, id)));

/** Deletes bulk actions older than a month. */
export const pruneBulks = (ctx: Context): Promise<unknown> =>
  ctx.em
    .getKysely<InstanceDatabase>()
    .deleteFrom('queue_bulks')
    .where('created_at', '<', sql<Date>`now() - interval '30 days'`)
    .execute();
