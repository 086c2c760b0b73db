import type { Queryable } from '../../core/database/database.js';
import { BadParams } from '../../core/errors.js';
import { join, raw, sql } from '../../core/sql.js';
import type { Fragment, Sql } from '../../core/sql.js';
import { findJobs, isJobId } from './find-jobs.js';
import type { JobFilter } from './find-jobs.js';

/** A place in the order of jobs: by the time that they were sent, then by id. */
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

export const encodePlace = ({ at, id }: JobPosition): string =>
  Buffer.from(JSON.stringify({ created_at: at, id })).toString('base64url');

/** @throws BadParams `cursor is invalid` */
export function decodePlace(cursor: string): JobPosition {
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

/** Condition on time and id: by default those of `j`. */
const beyond = ({ sort, after }: Slice, place = sql`j.created_on, j.id`): Fragment =>
  after === undefined
    ? sql`true`
    : sql`(${place}) ${raw(sort === 'asc' ? '>' : '<')} (${after.at}::timestamptz, ${after.id}::uuid)`;

/** Selects name, id and created_on of the jobs of a filter, in order, from a place on. */
export function selectJobs(filter: JobFilter, slice: Slice, internal = false): Sql {
  const { from, where, order: held } = findJobs(filter, internal);
  const { sort, offset = 0, limit } = slice;
  const order = raw(`order by j.created_on ${sort}, j.id ${sort}`);
  const rows = raw(`limit ${Math.trunc(offset) + Math.trunc(limit)}`);
  const page = raw(`limit ${Math.trunc(limit)} offset ${Math.trunc(offset)}`);
  if (held === 'none')
    return sql`select j.name, j.id, j.created_on from ${from} where ${where} and ${beyond(slice)} ${order} ${page}`;
  if (held === 'attempts') {
    const attempts = sql`h.job_created_at, h.job_id`;
    const byAttempt = raw(`order by h.job_created_at ${sort}, h.job_id ${sort}`);
    return sql`
      select j.name, j.id, j.created_on
        from (select h.* from ${from} where ${beyond(slice, attempts)} ${byAttempt} offset 0) h
       cross join lateral (select j.name, j.id, j.created_on from pgboss.job j where ${where} offset 0) j
       ${byAttempt} ${page}`;
  }
  return sql`
    select j.name, j.id, j.created_on from ${from}
     cross join lateral (
       select j.name, j.id, j.created_on from pgboss.job j where ${where} and ${beyond(slice)} ${order} ${rows}) j
     ${order} ${page}`;
}

/** SQL of a job's place in time, as a cursor has it. */
export const placeAt = sql`to_char(j.created_on at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** How many jobs a filter finds, up to a limit. */
export async function countJobs(db: Queryable, filter: JobFilter, limit: number, internal = false): Promise<number> {
  const { from, where, order } = findJobs(filter, internal);
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as "count" from (
      select 1 from ${join(order === 'none' ? [from] : [from, sql`pgboss.job j`], ' cross join ')}
       where ${where} ${raw(`limit ${Math.trunc(limit)}`)}) x`);
  return row?.count ?? 0;
}
