import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant, unnestedColumns } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { enqueueJobs } from '../job-queue/enqueue-jobs.js';
import { openDefinition } from './job-definition.js';
import type { StoredDefinition } from './job-definition.js';

/** A job that is to be done again. */
export interface Retry {
  id: number;
  /** For whom; null: for whom it was done before. */
  user_id: number | null;
  /** Of the new job: `created` where it waits for what is before it. */
  status: 'created' | 'pending' | 'waiting_for_resource';
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

/** What jobs consist of, by their ids. */
async function openDefinitions(
  ctx: Context<Caller>,
  jobIds: readonly number[],
): Promise<Map<number, StoredDefinition>> {
  const rows = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('jobs as j')
    .innerJoin('job_definitions as d', 'd.id', 'j.definition_id')
    .select(['j.id', 'j.pipeline_id', 'd.definition'])
    .where('j.id', '=', anyOf(jobIds, 'bigint'))
    .execute();
  return new Map(rows.map((row) => [row.id, openDefinition(ctx, row.pipeline_id, row.definition)]));
}

/** Makes a new job for each of some that are over: the same definition and needs, nothing of what became of the old one. */
export async function insertRetries(ctx: Context<Caller>, retries: readonly Retry[]): Promise<number[]> {
  if (retries.length === 0) return [];
  const now = ctx.clock.now();
  const db = ctx.em.getKysely<CiDatabase>();
  const ids = retries.map(({ id }) => id);
  await db.updateTable('jobs').set({ retried: true, updated_at: now }).where('id', '=', anyOf(ids, 'bigint')).execute();
  const opened = await openDefinitions(ctx, ids);
  const definitions = ids.map((id) => opened.get(id));
  const values = unnestedColumns({
    old_id: [ids, 'bigint'],
    owner_id: [retries.map((retry) => retry.user_id), 'bigint'],
    next_status: [retries.map(({ status }) => status as string), 'text'],
    next_timeout: [definitions.map((one) => one?.timeout ?? null), 'int'],
    may_fail: [definitions.map((one) => (one ? one.allow_failure === true : null)), 'boolean'],
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
    .returning(['id', 'pipeline_id', 'stage', 'name', 'status'])
    .execute();
  await copyNeeds(ctx, ids, inserted);
  await enqueueJobs(
    ctx,
    inserted.filter((job) => job.status === 'pending').map(({ id }) => id),
  );
  return inserted.map(({ id }) => id);
}

type Inserted = { id: number; pipeline_id: number; stage: string; name: string };

/** Needs name jobs, so those of the new job are the same. */
async function copyNeeds(ctx: Context<Caller>, oldIds: readonly number[], inserted: readonly Inserted[]) {
  await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('job_needs')
    .columns(['project_id', 'pipeline_id', 'job_id', 'name', 'artifacts', 'optional'])
    .expression((eb) =>
      eb
        .selectFrom('job_needs as n')
        .innerJoin('jobs as before', 'before.id', 'n.job_id')
        .innerJoin('jobs as j', (join) =>
          join
            .onRef('j.pipeline_id', '=', 'before.pipeline_id')
            .onRef('j.name', '=', 'before.name')
            .onRef('j.stage', '=', 'before.stage'),
        )
        .select(['n.project_id', 'n.pipeline_id', 'j.id', 'n.name', 'n.artifacts', 'n.optional'])
        .where('n.job_id', '=', anyOf(oldIds, 'bigint'))
        .where(
          'j.id',
          '=',
          anyOf(
            inserted.map(({ id }) => id),
            'bigint',
          ),
        )
        .orderBy('n.id'),
    )
    .execute();
}
