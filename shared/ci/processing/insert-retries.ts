import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant, unnestedColumns } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { enqueueJobs } from '../job-queue/enqueue-jobs.js';
import { logUnreadable, readDefinition } from './job-definition.js';
import { copyJobVariables, loadJobVariables } from './manual-job-variables.js';

/** A job that is to be done again. */
export interface Retry {
  id: number;
  /** For whom; null: for whom it was done before. */
  user_id: number | null;
  /** Of the new job: `created` where it waits for what is before it. */
  status: 'created' | 'pending' | 'waiting_for_resource';
}

/** A job that is done again. */
interface RetriedJob {
  /** Of the new job. */
  id: number;
  name: string;
}

const COPIED = [
  'project_id',
  'pipeline_id',
  'kind',
  'name',
  'stage',
  'stage_index',
  'when',
  'needs_jobs',
  'start_in',
  'definition_id',
  'tag_list',
  'protected',
  'interruptible',
  'resource_group_id',
] as const;

const setRetried = (ctx: Context<Caller>, jobIds: readonly number[], retried: boolean) =>
  ctx.em
    .getKysely<CiDatabase>()
    .updateTable('jobs')
    .set({ retried, updated_at: ctx.clock.now() })
    .where('id', '=', anyOf(jobIds, 'bigint'))
    .returning((eb) => [
      'id',
      'pipeline_id',
      'name',
      eb
        .selectFrom('job_definitions as d')
        .select('d.definition')
        .whereRef('d.id', '=', 'jobs.definition_id')
        .as('definition'),
    ])
    .execute();

/**
 * Marks jobs as replaced by newer ones, except those whose definition or variables cannot be read.
 * @returns what they consist of, in no order
 */
async function markRetried(ctx: Context<Caller>, jobIds: readonly number[]) {
  const rows = await setRetried(ctx, jobIds, true);
  const variables = await loadJobVariables(ctx, jobIds);
  const unreadable = new Set(variables.flatMap(({ job_id, value }) => (value === null ? [job_id] : [])));
  const jobs = rows.flatMap(({ definition: sealed, ...job }) => {
    const definition = sealed && readDefinition(ctx, job.pipeline_id, sealed);
    if (sealed && !definition) unreadable.add(job.id);
    return unreadable.has(job.id) ? [] : [{ ...job, definition }];
  });
  for (const id of unreadable) logUnreadable(ctx, id);
  if (unreadable.size > 0) await setRetried(ctx, [...unreadable], false);
  return { jobs, variables };
}

/** Names the newest job of a pipeline with its name. */
const jobKey = (job: { pipeline_id: number; name: string }): string => `${job.pipeline_id} ${job.name}`;

/**
 * Makes a new job for each of some that are over: the same definition, needs and variables, nothing of what became of the
 * old one. Jobs that cannot be read stay as they are.
 */
export async function insertRetries(ctx: Context<Caller>, retries: readonly Retry[]): Promise<RetriedJob[]> {
  if (retries.length === 0) return [];
  const now = ctx.clock.now();
  const db = ctx.em.getKysely<CiDatabase>();
  const { jobs: old, variables } = await markRetried(
    ctx,
    retries.map(({ id }) => id),
  );
  if (old.length === 0) return [];
  const retryOf = new Map(retries.map((retry) => [retry.id, retry]));
  const next = old.map(({ id, definition }) => {
    const may_fail = definition ? definition.allow_failure === true : null;
    return { ...(retryOf.get(id) as Retry), timeout: definition?.timeout ?? null, may_fail };
  });
  const values = unnestedColumns({
    old_id: [next.map(({ id }) => id), 'bigint'],
    owner_id: [next.map((retry) => retry.user_id), 'bigint'],
    next_status: [next.map(({ status }) => status as string), 'text'],
    next_timeout: [next.map(({ timeout }) => timeout), 'int'],
    may_fail: [next.map((retry) => retry.may_fail), 'boolean'],
  });
  const inserted = await db
    .insertInto('jobs')
    .columns([...COPIED, 'status', 'allow_failure', 'timeout', 'user_id', 'queued_at', 'created_at', 'updated_at'])
    .expression((outer) =>
      outer
        .selectFrom('jobs as j')
        .innerJoin(values.as('u'), (join) => join.onRef('u.old_id', '=', 'j.id'))
        .select((eb) => [
          ...COPIED.map((name) => `j.${name}` as const),
          'u.next_status',
          eb.fn.coalesce(eb.ref('u.may_fail'), eb.ref('j.allow_failure')).as('allow_failure'),
          'u.next_timeout',
          eb.fn.coalesce(eb.ref('u.owner_id'), eb.ref('j.user_id')).as('user_id'),
          eb
            .case()
            .when('u.next_status', '=', constant('pending'))
            .then(eb.val(now))
            .else(eb.cast<null>(constant(null), 'timestamptz'))
            .end()
            .as('queued_at'),
          eb.val(now).as('created_at'),
          eb.val(now).as('updated_at'),
        ])
        .orderBy('j.id'),
    )
    .returning(['id', 'pipeline_id', 'name', 'status'])
    .execute();
  const newIds = new Map(inserted.map((job) => [jobKey(job), job.id]));
  const copies = old.map((job) => ({ old_id: job.id, new_id: newIds.get(jobKey(job)) as number }));
  await copyNeeds(ctx, copies);
  await copyJobVariables(ctx, variables, copies);
  await enqueueJobs(
    ctx,
    inserted.filter((job) => job.status === 'pending').map(({ id }) => id),
  );
  return inserted;
}

/** Needs name jobs, so those of the new job are the same. */
async function copyNeeds(ctx: Context<Caller>, copies: readonly { old_id: number; new_id: number }[]) {
  const jobs = unnestedColumns({
    old_id: [copies.map((copy) => copy.old_id), 'bigint'],
    new_id: [copies.map((copy) => copy.new_id), 'bigint'],
  });
  await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('job_needs')
    .columns(['project_id', 'pipeline_id', 'job_id', 'name', 'artifacts', 'optional'])
    .expression((eb) =>
      eb
        .selectFrom('job_needs as n')
        .innerJoin(jobs.as('u'), (join) => join.onRef('u.old_id', '=', 'n.job_id'))
        .select(['n.project_id', 'n.pipeline_id', 'u.new_id', 'n.name', 'n.artifacts', 'n.optional'])
        .orderBy('n.id'),
    )
    .execute();
}
