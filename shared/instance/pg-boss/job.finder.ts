import { expressionBuilder, sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { NotAllowed, NotFound } from '../../core/values/errors.js';
import type { JobContext } from '../../core/values/job-context.js';
import type { OffsetSource } from '../../core/values/offset-source.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { secretsIn, withoutSecrets } from './job-error.js';
import type { JobRef } from './act-on-jobs.js';
import { isJobId } from './find-jobs.js';
import type { JobFilter } from './find-jobs.js';
import { selectJobContext } from './tables.js';
import type { JobState, QueueDatabase } from './tables.js';
import { encodeJobCursor, decodeJobCursor, cursorTime, selectJobs } from './search-jobs.js';
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
  /** Its position in the order of jobs. */
  at: string;
  start_after: Date;
  started_at: Date | null;
  completed_at: Date | null;
  dead_letter: string | null;
  error_class: string | null;
  error_message: string | null;
}

type JobContextKeys = { [K in Exclude<keyof JobContext, 'traceparent'>]: string | null };

/** Further back than that only a cursor leads. */
const OFFSET_LIMIT = 10_000;
/** Maximum characters of an error in a list, and of the part that is read. */
const MAX_ERROR_LENGTH = 200;
const ERROR_READ = 2048;
/** Bytes of a job's payload that are scanned for secrets before its error is listed. */
const CARRIED = 65_536;

const on = expressionBuilder<Aliased<QueueDatabase, { j: 'pgboss.job' }>, 'j'>();

/** The value of a context key of a job. */
const context = <Key extends keyof JobContextKeys>(key: Key) =>
  selectJobContext(on.ref('j.data'), constant(key)).as(key);

const getOutput = (key: string) => sql<string | null>`${on.ref('j.output')} ->> ${constant(key)}`;

const beginOf = (text: Expression<string | null>) => on.fn<string | null>('left', [text, on.lit(ERROR_READ)]);

/** What there is of a job that did not end well. */
const unlessCompleted = <T>(value: Expression<T>) =>
  on.case().when('j.state', '<>', constant('completed')).then(value).end();

/** Columns of a `QueueJobRecord`, of job `j`. */
const jobColumns = () => {
  const carried = on.and([
    on('j.state', '<>', constant('completed')),
    on('j.output', 'is not', null),
    on(on.fn<number>('pg_column_size', ['j.data']), '<=', constant(CARRIED)),
  ]);
  return [
    ...(['j.id', 'j.name as queue', 'j.state', 'j.blocked', 'j.priority', 'j.retry_count', 'j.retry_limit'] as const),
    'j.created_on as created_at' as const,
    cursorTime.as('at'),
    ...(['j.start_after', 'j.started_on as started_at', 'j.completed_on as completed_at', 'j.dead_letter'] as const),
    context('user'),
    context('project'),
    context('root_namespace'),
    context('caller_id'),
    context('feature_category'),
    context('correlation_id'),
    unlessCompleted(beginOf(on.fn.coalesce(getOutput('error_class'), getOutput('name')))).as('error_class'),
    unlessCompleted(beginOf(getOutput('message'))).as('error_message'),
    on.case().when(carried).then(on.ref('j.data')).end().as('carried'),
  ];
};

type JobRow = QueueJobRecord & { carried: object | null };

/** Shows an error without the job's own secrets, or not at all if the payload is too large to scan for them. */
function readRow({ carried, ...job }: JobRow): QueueJobRecord {
  const clean = (text: string | null) =>
    text === null || carried === null ? null : withoutSecrets(text, secretsIn(carried)).slice(0, MAX_ERROR_LENGTH);
  return { ...job, error_class: clean(job.error_class), error_message: clean(job.error_message) };
}

async function readJobs(ctx: Context, filter: JobFilter, slice: Slice, internal: boolean): Promise<QueueJobRecord[]> {
  const rows = await ctx.em
    .getKysely<QueueDatabase>()
    .selectFrom(selectJobs(filter, slice, internal).as('k'))
    .innerJoin('pgboss.job as j', (join) => join.onRef('j.name', '=', 'k.name').onRef('j.id', '=', 'k.id'))
    .select(jobColumns())
    .orderBy('j.created_on', slice.sort)
    .orderBy('j.id', slice.sort)
    .execute();
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
  const after = cursor === undefined ? undefined : decodeJobCursor(cursor);
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
      token: encodeJobCursor,
    },
  };
}

/** Finds a job by its id alone, in whichever queue. @throws NotFound "404 Job Not Found" */
export async function findQueueJob(ctx: Context, id: string): Promise<QueueJobRecord> {
  const job = isJobId(id)
    ? await ctx.em
        .getKysely<QueueDatabase>()
        .selectFrom('pgboss.queue as q')
        .innerJoin('pgboss.job as j', 'j.name', 'q.name')
        .select(jobColumns())
        .where('j.id', '=', id)
        .limit(1)
        .executeTakeFirst()
    : null;
  if (!job) throw new NotFound('Job');
  return readRow(job);
}

/** Existing jobs among the ids, in any queue. */
export const findJobsById = (ctx: Context, ids: readonly string[]): Promise<JobRef[]> =>
  ctx.em
    .getKysely<QueueDatabase>()
    .selectFrom('pgboss.queue as q')
    .innerJoin('pgboss.job as j', 'j.name', 'q.name')
    .select(['j.name as queue', 'j.id'])
    .where('j.id', '=', anyOf(ids, 'uuid'))
    .execute();

/** A job's payload and its output. */
export interface CarriedByJob {
  data: object | null;
  output: Record<string, unknown> | null;
  /** Whether its data is not read, since it is too long. */
  too_long: boolean | null;
}

/** Maximum size to read; anything larger is reported as too long. */
const READ_BYTES = 8 * 1024 * 1024;

/**
 * Whether a value is small enough to read. Checks the stored size first, which may be much smaller because of
 * compression.
 */
function fits(column: 'j.data' | 'j.output'): Expression<SqlBool> {
  const short = (size: Expression<number>) => on(size, '<=', constant(READ_BYTES));
  return on
    .case()
    .when(short(on.fn<number>('pg_column_size', [column])))
    .then(short(on.fn<number>('octet_length', [on.cast<string>(on.ref(column), 'text')])))
    .else(constant<SqlBool & boolean>(false))
    .end();
}

/** Null when the job is gone. */
export async function readCarried(ctx: Context, queue: string, id: string): Promise<CarriedByJob | null> {
  const row = await ctx.em
    .getKysely<QueueDatabase>()
    .selectFrom('pgboss.job as j')
    .select((eb) => [
      eb.case().when(fits('j.data')).then(eb.ref('j.data')).end().as('data'),
      eb
        .case()
        .when(fits('j.output'))
        .then(eb.ref('j.output').$castTo<Record<string, unknown> | null>())
        .end()
        .as('output'),
      eb.not(fits('j.data')).$castTo<boolean | null>().as('too_long'),
    ])
    .where('j.name', '=', queue)
    .where('j.id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}
