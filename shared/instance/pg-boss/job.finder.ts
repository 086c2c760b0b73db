import type { Context } from '../../core/context.js';
import { NotAllowed, NotFound } from '../../core/errors.js';
import type { JobContext } from '../../core/job-context.js';
import type { OffsetSource } from '../../core/offset-source.js';
import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { secretsIn, withoutSecrets } from './job-error.js';
import type { NamedJob } from './act-on-jobs.js';
import { isJobId } from './find-jobs.js';
import type { JobFilter } from './find-jobs.js';
import type { JobState } from './tables.js';
import { encodePlace, decodePlace, placeAt, selectJobs } from './search-jobs.js';
import type { Slice } from './search-jobs.js';

/** A job without what it carries. */
export interface QueueJobRecord extends JobContextKeys {
  id: string;
  queue: string;
  state: JobState;
  blocked: boolean;
  priority: number;
  retry_count: number;
  retry_limit: number;
  created_at: Date;
  /** Its place in the order of jobs. */
  at: string;
  start_after: Date;
  started_at: Date | null;
  completed_at: Date | null;
  dead_letter: string | null;
  error_class: string | null;
  error_message: string | null;
}

type JobContextKeys = { [K in keyof JobContext]: string | null };

/** Further back than that only a cursor leads. */
const OFFSET_LIMIT = 10_000;
/** Characters of an error in a list, and of what is read of it. */
const ERROR_SHOWN = 200;
const ERROR_READ = raw('2048');
/** Bytes of what a job carries that are looked through for secrets before its error is listed. */
const CARRIED = raw('65536');

/** Columns of a `QueueJobRecord`, of job `j`. */
const jobColumns = sql`
  j.id::text as "id", j.name as "queue", j.state::text as "state", j.blocked as "blocked", j.priority as "priority",
  j.retry_count as "retry_count", j.retry_limit as "retry_limit", j.created_on as "created_at",
  ${placeAt} as "at", j.start_after as "start_after", j.started_on as "started_at", j.completed_on as "completed_at",
  j.dead_letter as "dead_letter", j.data -> '_ctx' ->> 'user' as "user",
  j.data -> '_ctx' ->> 'project' as "project", j.data -> '_ctx' ->> 'root_namespace' as "root_namespace",
  j.data -> '_ctx' ->> 'caller_id' as "caller_id", j.data -> '_ctx' ->> 'feature_category' as "feature_category",
  j.data -> '_ctx' ->> 'correlation_id' as "correlation_id",
  case when j.state <> 'completed' then left(coalesce(j.output ->> 'error_class', j.output ->> 'name'), ${ERROR_READ})
    end as "error_class",
  case when j.state <> 'completed' then left(j.output ->> 'message', ${ERROR_READ}) end as "error_message",
  case when j.state <> 'completed' and j.output is not null and pg_column_size(j.data) <= ${CARRIED} then j.data end
    as "carried"`;

type JobRow = QueueJobRecord & { carried: object | null };

/** An error is shown without the job's own secrets, and not at all where those are too many to be looked for. */
function readRow({ carried, ...job }: JobRow): QueueJobRecord {
  const clean = (text: string | null) =>
    text === null || carried === null ? null : withoutSecrets(text, secretsIn(carried)).slice(0, ERROR_SHOWN);
  return { ...job, error_class: clean(job.error_class), error_message: clean(job.error_message) };
}

async function readJobs(ctx: Context, filter: JobFilter, slice: Slice, internal: boolean): Promise<QueueJobRecord[]> {
  const rows = await ctx.query<JobRow>(sql`
    select ${jobColumns}
      from (${selectJobs(filter, slice, internal)}) k join pgboss.job j on j.name = k.name and j.id = k.id
     order by j.created_on ${raw(slice.sort)}, j.id ${raw(slice.sort)}`);
  return rows.map(readRow);
}

/**
 * Jobs of all queues by a filter, newest or oldest first, by keyset; one statement a page.
 * @throws BadParams `cursor is invalid`; NotAllowed for pages too far behind by number
 */
export function listFoundJobs(
  ctx: Context,
  filter: JobFilter,
  { sort, cursor, internal = false }: { sort: 'asc' | 'desc'; cursor?: string | undefined; internal?: boolean },
): OffsetSource<QueueJobRecord> {
  const after = cursor === undefined ? undefined : decodePlace(cursor);
  return {
    slice(offset, limit) {
      if (offset > OFFSET_LIMIT)
        throw new NotAllowed(
          `Offset pagination has a maximum allowed offset of ${OFFSET_LIMIT} for requests that return objects of type ` +
            'Job. Remaining records can be retrieved using keyset pagination.',
        );
      return readJobs(ctx, filter, { sort, after, offset, limit }, internal);
    },
    keyset: {
      parameter: 'cursor',
      read: (limit) => readJobs(ctx, filter, { sort, after, limit }, internal),
      token: encodePlace,
    },
  };
}

/** Finds a job by its id alone, in whichever queue. @throws NotFound "404 Job Not Found" */
export async function findQueueJob(ctx: Context, id: string): Promise<QueueJobRecord> {
  const job = isJobId(id)
    ? await ctx.queryOne<JobRow>(sql`
        select ${jobColumns} from pgboss.queue q join pgboss.job j on j.name = q.name and j.id = ${id}::uuid limit 1`)
    : null;
  if (!job) throw new NotFound('Job');
  return readRow(job);
}

/** Those of some jobs that there are, in whichever queues. */
export const findJobsById = (ctx: Context, ids: readonly string[]): Promise<NamedJob[]> =>
  ctx.query<NamedJob>(sql`
    select j.name as "queue", j.id::text as "id"
      from pgboss.queue q join pgboss.job j on j.name = q.name and j.id = any(${ids}::uuid[])`);

/** What a job carries, and what came of it. */
export interface CarriedByJob {
  data: object | null;
  output: Record<string, unknown> | null;
  /** Whether its data is not read, since it is too long. */
  too_long: boolean | null;
}

/** More is read of no job: what is longer is told to be too long. */
const READ_BYTES = 8 * 1024 * 1024;

/** Whether a value is read at all; first by what is stored, which may be much shorter. */
const fits = (value: Fragment): Fragment => sql`
  case when pg_column_size(${value}) <= ${READ_BYTES} then octet_length(${value}::text) <= ${READ_BYTES} else false end`;

/** Null when the job is gone. */
export const readCarried = (ctx: Context, queue: string, id: string): Promise<CarriedByJob | null> =>
  ctx.queryOne<CarriedByJob>(sql`
    select case when ${fits(sql`j.data`)} then j.data end as "data",
           case when ${fits(sql`j.output`)} then j.output end as "output",
           not ${fits(sql`j.data`)} as "too_long"
      from pgboss.job j where j.name = ${queue} and j.id = ${id}::uuid`);
