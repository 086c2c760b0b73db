import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { offerJobs } from './offered-jobs.js';
import type { OfferedJobs } from './offered-jobs.js';

/** What queued jobs of one kind have in common: rows `q` of projects in namespaces `n` with settings `s`. */
export const OFFERED_COLUMNS = [
  'q.project_id',
  'q.protected',
  'q.tag_list',
  'n.traversal_ids',
  's.shared_runners_enabled',
  's.group_runners_enabled',
] as const;

/** Puts jobs that have become pending into the queue; runners that wait for such jobs are woken. Two statements. */
export async function enqueueJobs(ctx: Context<Caller>, jobIds: readonly number[]): Promise<void> {
  if (jobIds.length === 0) return;
  const queued = await ctx.em
    .getKysely<CiDatabase>()
    .with('queued', (db) =>
      db
        .insertInto('ci_queue')
        .columns(['project_id', 'job_id', 'protected', 'tag_list', 'queued_at'])
        .expression((eb) =>
          eb
            .selectFrom('jobs as j')
            .select((of) => [
              'j.project_id',
              'j.id',
              'j.protected',
              'j.tag_list',
              of.val(ctx.clock.now()).as('queued_at'),
            ])
            .where('j.id', '=', anyOf(jobIds, 'bigint'))
            .orderBy('j.id'),
        )
        .onConflict((conflict) => conflict.columns(['project_id', 'job_id']).doNothing())
        .returning(['id', 'project_id', 'protected', 'tag_list']),
    )
    .selectFrom('queued as q')
    .innerJoin('projects as p', 'p.id', 'q.project_id')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .innerJoin('project_settings as s', 's.project_id', 'p.id')
    .select((eb) => [...OFFERED_COLUMNS, eb.fn.max('q.id').as('last_id'), eb.fn.countAll<number>().as('count')])
    .groupBy(OFFERED_COLUMNS)
    .execute();
  if (queued.length === 0) return;
  // Ids of the queue are given out once: no other offer has the same.
  const version = Math.max(...queued.map(({ last_id }) => last_id));
  await offerJobs(ctx, String(version), queued.map(asOffer));
}

/** Queued jobs of one kind, as they are read. */
interface QueuedGroup {
  project_id: number;
  protected: boolean;
  tag_list: string[];
  traversal_ids: number[];
  shared_runners_enabled: boolean;
  group_runners_enabled: boolean;
  count: number;
}

/** Such jobs as they are offered to runners. */
export const asOffer = (queued: QueuedGroup): OfferedJobs => ({
  project_id: queued.project_id,
  namespace_ids: queued.traversal_ids,
  instance: queued.shared_runners_enabled,
  group: queued.group_runners_enabled,
  protected: queued.protected,
  tags: queued.tag_list,
  count: queued.count,
});

/**
 * Takes jobs out of the queue. Call it before their rows are changed: a hand-out locks in this order too.
 * @returns the ids of those that were queued until now: a hand-out that was faster has the others
 */
export async function dequeueJobs(ctx: Context<Caller>, jobIds: readonly number[]): Promise<number[]> {
  if (jobIds.length === 0) return [];
  const dequeued = await ctx.em
    .getKysely<CiDatabase>()
    .deleteFrom('ci_queue')
    .where('job_id', '=', anyOf(jobIds, 'bigint'))
    .returning('job_id')
    .execute();
  return dequeued.map(({ job_id }) => job_id);
}
