import { likeLiteral, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { chosen } from './list-queues.js';
import { JOB_STATES } from './tables.js';
import type { JobState } from './tables.js';

/** What jobs are searched by; all must hold. */
export interface JobFilter {
  queue?: string | undefined;
  state?: readonly JobState[] | undefined;
  /** The id of a job, or a part of the name of its queue. */
  search?: string | undefined;
  user?: string | undefined;
  project?: string | undefined;
  created_after?: Date | undefined;
  created_before?: Date | undefined;
  /** A part of the class or message of an error. */
  error?: string | undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isJobId = (text: string): boolean => UUID.test(text);

/** Condition on `q`: the queues that a filter is about. */
function queues({ queue, search }: JobFilter, internal: boolean): Fragment {
  const part = search === undefined || isJobId(search) ? null : `%${likeLiteral(search)}%`;
  const some = chosen({ name: queue, internal });
  return part === null ? some : sql`${some} and q.name ilike ${part}`;
}

/** Conditions on `j` that any way to the jobs has to look at. */
function within({ created_after: after, created_before: before }: JobFilter): Fragment {
  return sql`${after ? sql`j.created_on >= ${after}` : sql`true`} and
             ${before ? sql`j.created_on <= ${before}` : sql`true`}`;
}

const statesOf = ({ state }: JobFilter): readonly string[] => (state && state.length > 0 ? state : JOB_STATES);

/** The jobs of a filter, as SQL. */
export interface FoundJobs {
  /** What brings to jobs; `j` itself as well where there is nothing to choose about their order. */
  from: Fragment;
  /** Conditions on `j`. */
  where: Fragment;
  /**
   * What holds the order by time: nothing; the jobs of each queue and state, in an index; or `h`, the attempts that
   * failed, which tell when their job was sent, so that only the jobs of one page are looked up.
   */
  order: 'none' | 'queue and state' | 'attempts';
}

/** Condition on `a`, which an index of parts of texts serves. */
const failedWith = (error: string): Fragment =>
  sql`a.message is not null and (a.error_class || ': ' || a.message) ilike ${`%${likeLiteral(error)}%`}`;

/** The attempts with such an error, as `h`; those of other queues or times are left out before their jobs are read. */
const attemptsWith = (error: string, { queue, created_after: after, created_before: before }: JobFilter) => sql`
  (select distinct a.queue, a.job_id, a.job_created_at from job_attempts a
    where ${failedWith(error)} and a.job_created_at is not null
      and ${queue === undefined ? sql`true` : sql`a.queue = ${queue}`}
      and ${after ? sql`a.job_created_at >= ${after}` : sql`true`}
      and ${before ? sql`a.job_created_at <= ${before}` : sql`true`}) h`;

const contextIs = (key: 'user' | 'project', value: string | undefined): Fragment =>
  value === undefined ? sql`true` : sql`j.data -> '_ctx' ->> ${keyText(key)} = ${value}`;

/** As text of the statement, as the index has it: a parameter would not be found to be the same. */
const keyText = (key: 'user' | 'project'): Fragment => (key === 'user' ? sql`'user'` : sql`'project'`);

/**
 * Finds the way to the jobs of a filter that reads least: by id, by the errors of attempts, by user or project, and
 * else by queue and state, which everything is in.
 */
export function findJobs(filter: JobFilter, internal = false): FoundJobs {
  const { search, user, project, error } = filter;
  const where = sql`${within(filter)} and ${contextIs('user', user)} and ${contextIs('project', project)}`;
  const some = sql`j.name in (select q.name from pgboss.queue q where ${queues(filter, internal)})
    and j.state = any(${statesOf(filter)}::pgboss.job_state[])`;
  if (search !== undefined && isJobId(search))
    return {
      from: sql`(select q.name from pgboss.queue q where ${queues(filter, internal)}) q
        join pgboss.job j on j.name = q.name and j.id = ${search}::uuid
        ${
          error === undefined
            ? sql``
            : sql`join (select distinct a.job_id from job_attempts a where ${failedWith(error)}) h on h.job_id = j.id`
        }`,
      where: sql`${where} and j.state = any(${statesOf(filter)}::pgboss.job_state[])`,
      order: 'none',
    };
  if (error !== undefined)
    return {
      from: attemptsWith(error, filter),
      where: sql`j.name = h.queue and j.id = h.job_id and ${where} and ${some}`,
      order: 'attempts',
    };
  if (user !== undefined || project !== undefined)
    return { from: sql`pgboss.job j`, where: sql`${where} and ${some}`, order: 'none' };
  return {
    from: sql`(select q.name from pgboss.queue q where ${queues(filter, internal)}) q
      cross join unnest(${statesOf(filter)}::pgboss.job_state[]) s (state)`,
    where: sql`j.name = q.name and j.state = s.state and ${where}`,
    order: 'queue and state',
  };
}
