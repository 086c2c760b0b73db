import type { Context } from '../../core/context.js';
import { inSteps } from '../../core/in-steps.js';
import { sql, textColumns } from '../../core/sql.js';
import { actOnJobs } from '../pg-boss/act-on-jobs.js';
import { QueueBulk } from './queue-bulk.entity.js';
import { filterOf } from './queue-bulk.record.js';
import type { BulkRecord } from './queue-bulk.record.js';
import { bulkJob as kind } from '../queue-jobs/queue-job.jobs.js';
import { placeAt, selectJobs } from '../pg-boss/search-jobs.js';
import type { JobKey, JobPosition } from '../pg-boss/search-jobs.js';

const STEP = 2_000;

type Bulk = BulkRecord & { cursor: string | null };

/**
 * The next jobs of a bulk, in the order that they were sent in. Those sent after it was asked for, and the jobs that do
 * bulks, are left alone: it must come to an end, and not by cancelling itself.
 */
function nextJobs(ctx: Context, bulk: Bulk): Promise<JobKey[]> {
  const filter = filterOf(bulk.filter);
  const { created_before: before } = filter;
  const until = before && before < bulk.created_at ? before : bulk.created_at;
  const after: JobPosition | undefined =
    bulk.cursor !== null && bulk.cursor_id ? { at: bulk.cursor, id: bulk.cursor_id } : undefined;
  return ctx.query<JobKey>(sql`
    select j.name as "queue", j.id::text as "id", ${placeAt} as "at"
      from (${selectJobs({ ...filter, created_before: until }, { sort: 'asc', after, limit: STEP })}) j
     order by j.created_on, j.id`);
}

async function step(ctx: Context, id: number): Promise<boolean> {
  const bulk = await ctx.queryOne<Bulk>(sql`
    select ${textColumns(QueueBulk, 'b')},
           to_char(b.cursor_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "cursor"
      from queue_bulks b where b.id = ${id} and b.finished_at is null for update`);
  if (!bulk) return false;
  const jobs = await nextJobs(ctx, bulk);
  const matched = jobs.filter(({ queue }) => queue !== kind.name);
  const done = await actOnJobs(ctx, bulk.action, matched);
  const last = jobs.at(-1);
  const more = jobs.length === STEP;
  await ctx.query(sql`
    update queue_bulks b
       set matched = b.matched + ${matched.length}, affected = b.affected + ${done.length},
           skipped = b.skipped + ${matched.length - done.length},
           cursor_at = coalesce(${last?.at ?? null}::timestamptz, b.cursor_at),
           cursor_id = coalesce(${last?.id ?? null}::uuid, b.cursor_id),
           finished_at = case when ${more}::boolean then null else ${ctx.clock.now()}::timestamptz end
     where b.id = ${id}`);
  if (!more) ctx.record({ type: 'queue_jobs.bulk_finished', ...(await finished(ctx, id)) });
  return more;
}

async function finished(ctx: Context, id: number) {
  const [bulk] = await ctx.query<Pick<BulkRecord, 'id' | 'action' | 'matched' | 'affected' | 'skipped'>>(sql`
    select b.id as "id", b.action as "action", b.matched as "matched", b.affected as "affected",
           b.skipped as "skipped" from queue_bulks b where b.id = ${id}`);
  return bulk as NonNullable<typeof bulk>;
}

/** Does a bulk to its end, from where it stands: each step is one transaction, and its progress part of it. */
export const doBulk = (ctx: Context, id: number): Promise<void> =>
  inSteps(ctx, () => ctx.transaction(() => step(ctx, id)));

/** Removes what was told of bulks a month ago. */
export const pruneBulks = (ctx: Context): Promise<unknown> =>
  ctx.query(sql`delete from queue_bulks b where b.created_at < now() - interval '30 days'`);
