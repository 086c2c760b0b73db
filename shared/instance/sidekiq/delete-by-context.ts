import type { SignedInContext } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { presentText } from '../../core/fields.js';
import { instance, operation } from '../../core/operation.js';
import { atLeastOneOf } from '../../core/params.js';
import { and, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { recordDropped } from '../queue-jobs/act-on-jobs.js';

/**
 * By what of their context jobs are deleted (jobs-admin.md section 1). Our jobs carry no plan, pipeline, client or
 * address: who filters by one finds nothing. Left undeclared, such a filter would be ignored, and more be deleted.
 */
const FILTERS = [
  'user',
  'project',
  'root_namespace',
  'subscription_plan',
  'caller_id',
  'feature_category',
  'worker_class',
  'job_id',
  'user_id',
  'pipeline_id',
  'client_id',
  'remote_ip',
] as const;

type Filter = (typeof FILTERS)[number];

/** Jobs that one request deletes at most: far less than 30 s of work. */
const MOST = 10_000;

const DESCRIBED: Partial<Record<Filter, string>> = {
  user: 'Only jobs that this user asked for, by username.',
  project: 'Only jobs about this project, by its full path.',
  root_namespace: 'Only jobs about what is in this top-level namespace.',
  caller_id: 'Only jobs that this operation or job sent.',
  feature_category: 'Only jobs of this feature.',
  worker_class: 'Only jobs of this kind: the name of their queue.',
  job_id: 'Only the job of this id.',
};

const filter = (name: Filter) =>
  presentText()
    .refine((value) => value.length <= 255, 'is too long')
    .optional()
    .describe(DESCRIBED[name] ?? 'No job carries it, so nothing is found by it.');

const params = Object.fromEntries(FILTERS.map((name) => [name, filter(name)])) as Record<
  Filter,
  ReturnType<typeof filter>
>;

function condition(name: Filter, value: string): Fragment {
  if (name === 'worker_class') return sql`j.name = ${value}`;
  if (name === 'job_id') return sql`j.id::text = lower(${value})`;
  return sql`j.data -> '_ctx' ->> ${name}::text = ${value}`;
}

/** What became of it; `completed` false says: call again. */
export interface DeletedJobs {
  completed: boolean;
  deleted_jobs: number;
  /** Jobs that still wait in the queue. */
  queue_size: number;
}

async function deleteWaiting(ctx: SignedInContext, queue: string, where: readonly Fragment[]): Promise<DeletedJobs> {
  const [result] = await ctx.query<{ found: number; deleted: string[]; waiting: number }>(sql`
    with found as materialized (
      select j.name, j.id from pgboss.job j
       where j.name = ${queue} and j.state in ('created', 'retry') and ${and(where)}
       ${raw(`limit ${MOST + 1}`)} for update skip locked),
    few as (select f.name, f.id from found f ${raw(`limit ${MOST}`)}),
    gone as (
      delete from pgboss.job j using few s where j.name = s.name and j.id = s.id returning j.id),
    history as (delete from job_attempts a using gone g where a.job_id = g.id)
    select (select count(*) from found)::int as "found", 
           (select coalesce(array_agg(g.id::text), '{}') from gone g) as "deleted",
           (select count(*) from pgboss.job j where j.name = ${queue} and j.state in ('created', 'retry'))::int
             as "waiting"`);
  const { found = 0, deleted = [], waiting = 0 } = result ?? {};
  recordDropped(
    ctx,
    deleted.map((id) => ({ queue, id })),
  );
  // The statement counts what was there before it.
  return { completed: found <= MOST, deleted_jobs: deleted.length, queue_size: waiting - deleted.length };
}

/** Delete the waiting jobs of a queue by what their context says. */
export const deleteJobsByContext = operation({
  name: 'deleteSidekiqQueueJobs',
  summary: 'Delete waiting jobs of a queue by their context',
  subject: instance,
  gate: 'administrator',
  kind: 'write',
  offerings: ['self-managed'],
  params: {
    queue_name: presentText()
      .describe('Name of the queue.')
      .meta({ examples: ['queue_jobs.tend'] }),
    ...params,
  },
  rules: [atLeastOneOf(...FILTERS)],
  example: { user: 'ada' },
  async run(ctx, _instance, { queue_name: queue, ...given }) {
    const known = await ctx.queryOne(sql`select 1 from pgboss.queue q where q.name = ${queue}`);
    if (!known) throw NotFound.unspecified();
    const filters = Object.entries(given).filter((entry): entry is [Filter, string] => entry[1] !== undefined);
    const result = await deleteWaiting(
      ctx,
      queue,
      filters.map(([name, value]) => condition(name, value)),
    );
    ctx.record({
      type: 'queue_jobs.deleted_by_context',
      queue,
      filters: Object.fromEntries(filters),
      deleted: result.deleted_jobs,
    });
    return result;
  },
});
