import { sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Queryable } from '../../core/database/database.js';
import { BadParams } from '../../core/values/errors.js';
import { constant } from '../../core/database/expressions.js';
import { queries } from '../../core/database/compile.js';
import { runQuery } from '../../core/database/prepared.js';
import { findJobs, isJobId, onJobs } from './find-jobs.js';
import type { JobFilter, JobQuery } from './find-jobs.js';
import type { QueueDatabase } from './tables.js';

/** A position in the order of jobs: by the time that they were sent, then by id. */
export interface JobPosition {
  /** With microseconds, which a Date has not: `2030-01-01T00:00:00.000001Z`. */
  at: string;
  id: string;
}

export interface JobKey extends JobPosition {
  queue: string;
}

export interface Slice {
  sort: 'asc' | 'desc';
  after?: JobPosition | undefined;
  offset?: number;
  limit: number;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

export const encodeJobCursor = ({ at, id }: JobPosition): string =>
  Buffer.from(JSON.stringify({ created_at: at, id })).toString('base64url');

/** @throws BadParams `cursor is invalid` */
export function decodeJobCursor(cursor: string): JobPosition {
  try {
    const { created_at: at, id } = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as {
      created_at?: unknown;
      id?: unknown;
    };
    if (typeof at === 'string' && INSTANT.test(at) && !Number.isNaN(Date.parse(at)) && isJobId(String(id)))
      return { at, id: String(id) };
  } catch {
    // As any other text that is no cursor.
  }
  throw new BadParams(['cursor is invalid']);
}

type PositionColumns = readonly [at: 'j.created_on' | 'h.job_created_at', id: 'j.id' | 'h.job_id'];

/** The position of a job itself. */
const OF_JOB: PositionColumns = ['j.created_on', 'j.id'];

/** The same columns in a failed attempt. */
const OF_ATTEMPT: PositionColumns = ['h.job_created_at', 'h.job_id'];

/** Condition on time and id. */
function beyond({ sort, after }: Slice, [at, id]: PositionColumns = OF_JOB): Expression<SqlBool> {
  if (after === undefined) return constant(true);
  const row = (...values: Expression<unknown>[]) => onJobs.fn<string>('row', values);
  const start = row(
    onJobs.cast<Date>(onJobs.val(after.at), 'timestamptz'),
    onJobs.cast<string>(onJobs.val(after.id), 'uuid'),
  );
  return onJobs(row(onJobs.ref(at), onJobs.ref(id)), sort === 'asc' ? '>' : '<', start);
}

const inOrder = <Query extends JobQuery>(
  query: Query,
  sort: 'asc' | 'desc',
  [at, id]: PositionColumns = OF_JOB,
): Query => query.orderBy(at, sort).orderBy(id, sort) as Query;

const rowCount = (count: number) => constant(Math.trunc(count));

const JOB = ['j.name', 'j.id', 'j.created_on'] as const;

/** Optimization fence: keeps the planner from moving outer conditions into the query. */
const asItStands = <Query extends JobQuery>(query: Query): Query => query.offset(constant(0)) as Query;

/** Selects name, id and created_on of the jobs of a filter, in order, from a position on. */
export function selectJobs(filter: JobFilter, slice: Slice, internal = false) {
  const { from, where, order: held } = findJobs(filter, internal);
  const { sort, offset = 0, limit } = slice;
  const page = (query: JobQuery, columns?: PositionColumns) =>
    inOrder(query.select(JOB), sort, columns).limit(rowCount(limit)).offset(rowCount(offset));
  if (held === 'none') return page(from.where(where).where(beyond(slice)));
  const jobs = onJobs.selectFrom('pgboss.job as j').where(where) as JobQuery;
  if (held === 'attempts') {
    const attempts = from.select(['h.queue', 'h.job_id', 'h.job_created_at']).where(beyond(slice, OF_ATTEMPT));
    const held = asItStands(inOrder(attempts, sort, OF_ATTEMPT)).as('h');
    const found = queries<QueueDatabase>()
      .selectFrom(held)
      .crossJoinLateral(() => asItStands(jobs.select(JOB)).as('j'));
    return page(found as JobQuery, OF_ATTEMPT);
  }
  const each = inOrder(jobs.select(JOB).where(beyond(slice)), sort).limit(rowCount(offset + limit));
  return page(from.crossJoinLateral(() => each.as('j')) as JobQuery);
}

/** A job's position in time, as a cursor has it. */
export const cursorTime = sql<string>`to_char(j.created_on at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** How many jobs a filter finds, up to a limit. */
export async function countJobs(db: Queryable, filter: JobFilter, limit: number, internal = false): Promise<number> {
  const { from, where, order } = findJobs(filter, internal);
  const jobs = order === 'none' ? from : (from.crossJoin('pgboss.job as j') as JobQuery);
  const found = jobs.where(where).select(constant(1).as('one')).limit(rowCount(limit));
  const count = queries<QueueDatabase>()
    .selectFrom(found.as('x'))
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'));
  const [row] = await runQuery(db, count);
  return row?.count ?? 0;
}
