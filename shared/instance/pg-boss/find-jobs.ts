import { expressionBuilder, sql } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import { constant, likeLiteral } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { chosen } from './list-queues.js';
import { anyState, selectJobContext, JOB_STATES } from './tables.js';
import type { JobState, JobTable, QueueDatabase } from './tables.js';

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

/** Tables available to a job search: jobs `j`, queues `q`, states `s`, and `h`, failed attempts. */
export type OfJobs = Aliased<QueueDatabase, { a: 'job_attempts'; q: 'pgboss.queue' }> & {
  j: JobTable;
  s: { state: JobState };
  h: { queue: string; job_id: string; job_created_at: Date };
};

/** Builds conditions on these. */
export const onJobs = expressionBuilder<OfJobs, 'a' | 'h' | 'j' | 'q' | 's'>();

/** Combines conditions with AND; undefined ones are ignored. */
const all = (conditions: readonly (Expression<SqlBool> | undefined)[]): Expression<SqlBool> =>
  onJobs.and(conditions.filter((one) => one !== undefined));

/** The names of the queues that a filter is about, as `q`. */
function queues({ queue, search }: JobFilter, internal: boolean) {
  const part = search === undefined || isJobId(search) ? undefined : `%${likeLiteral(search)}%`;
  return expressionBuilder<QueueDatabase>()
    .selectFrom('pgboss.queue as q')
    .select('q.name')
    .where(chosen({ name: queue, internal }))
    .where(all([part === undefined ? undefined : onJobs('q.name', 'ilike', part)]));
}

/** Conditions on `j` that any way to the jobs has to look at. */
const within = ({ created_after: after, created_before: before, user, project }: JobFilter): Expression<SqlBool> =>
  all([
    after && onJobs('j.created_on', '>=', after),
    before && onJobs('j.created_on', '<=', before),
    contextIs('user', user),
    contextIs('project', project),
  ]);

const getStates = ({ state }: JobFilter): readonly string[] => (state && state.length > 0 ? state : JOB_STATES);

/** A query of jobs, before its columns are selected. */
export type JobQuery = SelectQueryBuilder<OfJobs, 'h' | 'j' | 'q' | 's', object>;

/** The jobs of a filter. */
export interface FoundJobs {
  /** The source that yields the jobs; `j` itself if their order is not optimized. */
  from: JobQuery;
  /** Condition on `j`. */
  where: Expression<SqlBool>;
  /**
   * How the order by time is obtained: not at all; by an index over the jobs of each queue and state; or by `h`, the
   * failed attempts, which record when their job was sent, so that only the jobs of one page are looked up.
   */
  order: 'none' | 'queue and state' | 'attempts';
}

/** Condition on `a`, which an index of parts of texts serves. */
function failedWith(error: string): Expression<SqlBool> {
  const text = sql<string>`(${onJobs.ref('a.error_class')} || ': ' || ${onJobs.ref('a.message')})`;
  return all([onJobs('a.message', 'is not', null), onJobs(text, 'ilike', `%${likeLiteral(error)}%`)]);
}

/** Attempts with such an error; those of other queues or times are excluded before their jobs are read. */
const attemptsWith = (error: string, { queue, created_after: after, created_before: before }: JobFilter) =>
  onJobs
    .selectFrom('job_attempts as a')
    .select(['a.queue', 'a.job_id', 'a.job_created_at'])
    .distinct()
    .where(failedWith(error))
    .where('a.job_created_at', 'is not', null)
    .where(
      all([
        queue === undefined ? undefined : onJobs('a.queue', '=', queue),
        after && onJobs('a.job_created_at', '>=', after),
        before && onJobs('a.job_created_at', '<=', before),
      ]),
    );

/** The key is a literal, as in the index: with a parameter the planner would not match the index expression. */
const contextIs = (key: 'user' | 'project', value: string | undefined): Expression<SqlBool> | undefined =>
  value === undefined ? undefined : onJobs(selectJobContext(onJobs.ref('j.data'), constant(key)), '=', value);

/** Jobs with an id. */
function jobsOfId(filter: JobFilter, id: string, internal: boolean): FoundJobs {
  const jobs = expressionBuilder<QueueDatabase>()
    .selectFrom(queues(filter, internal).as('q'))
    .innerJoin('pgboss.job as j', (join) =>
      join.onRef('j.name', '=', 'q.name').on((on) => on('j.id', '=', on.cast<string>(on.val(id), 'uuid'))),
    );
  const { error } = filter;
  const failed =
    error === undefined
      ? undefined
      : onJobs.selectFrom('job_attempts as a').select('a.job_id').distinct().where(failedWith(error));
  const from = failed ? jobs.innerJoin(failed.as('h'), 'h.job_id', 'j.id') : jobs;
  const where = all([within(filter), onJobs('j.state', '=', anyState(getStates(filter)))]);
  return { from: from as JobQuery, where, order: 'none' };
}

/**
 * Finds the way to the jobs of a filter that reads least: by id, by the errors of attempts, by user or project, and
 * else by queue and state, which everything is in.
 */
export function findJobs(filter: JobFilter, internal = false): FoundJobs {
  const { search, user, project, error } = filter;
  if (search !== undefined && isJobId(search)) return jobsOfId(filter, search, internal);
  const eb = expressionBuilder<QueueDatabase>();
  const some = [onJobs('j.name', 'in', queues(filter, internal)), onJobs('j.state', '=', anyState(getStates(filter)))];
  if (error !== undefined) {
    const own = [onJobs('j.name', '=', onJobs.ref('h.queue')), onJobs('j.id', '=', onJobs.ref('h.job_id'))];
    const from = eb.selectFrom(attemptsWith(error, filter).as('h'));
    return { from: from as JobQuery, where: all([...own, within(filter), ...some]), order: 'attempts' };
  }
  if (user !== undefined || project !== undefined) {
    const from = eb.selectFrom('pgboss.job as j');
    return { from: from as JobQuery, where: all([within(filter), ...some]), order: 'none' };
  }
  const states = sql<{ state: JobState }>`unnest(${getStates(filter)}::pgboss.job_state[])`.as<'s'>(sql`s(state)`);
  const from = eb.selectFrom(queues(filter, internal).as('q')).crossJoin(states);
  const own = [onJobs('j.name', '=', onJobs.ref('q.name')), onJobs('j.state', '=', onJobs.ref('s.state'))];
  return { from: from as JobQuery, where: all([...own, within(filter)]), order: 'queue and state' };
}
