import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { reachHoldPoint } from '../../core/context/hold-points.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { sealJobLogs } from '../ci.jobs.js';
import { dequeueJobs } from '../job-queue/enqueue-jobs.js';
import { CANCELABLE_STATUSES } from '../job-states/status-predicates.js';
import { releaseResources } from './resource-groups.js';

interface CancelOptions {
  /** Jobs that are being canceled end at once, whatever their runners still do. */
  force?: boolean;
}

/**
 * Cancels jobs of pipelines with a configuration, whose rows the caller has locked. A job that runs is first `canceling`
 * where its runner still ends it by itself.
 * @returns the ids of those that changed
 */
export async function cancelPipelineJobs(
  ctx: Context<Caller>,
  jobIds: readonly number[],
  { force = false }: CancelOptions = {},
): Promise<number[]> {
  const [first] = jobIds;
  if (first === undefined) return [];
  await reachHoldPoint(ctx, 'jobs.canceling', first);
  // A hand-out that is under way ends first.
  await dequeueJobs(ctx, jobIds);
  const now = ctx.clock.now();
  const statuses: readonly string[] = force ? [...CANCELABLE_STATUSES, 'canceling'] : CANCELABLE_STATUSES;
  const changed = await ctx.em
    .getKysely<CiDatabase>()
    .updateTable('jobs as j')
    .set((eb) => {
      const endsItself = eb.and([
        eb.val(!force),
        eb('j.status', '=', constant('running')),
        eb.exists(
          eb
            .selectFrom('job_runs as r')
            .select(eb.lit(1).as('one'))
            .whereRef('r.job_id', '=', 'j.id')
            .where('r.cancels_gracefully', '=', constant(true)),
        ),
      ]);
      return {
        status: eb.case().when(endsItself).then(constant<string>('canceling')).else(constant('canceled')).end(),
        finished_at: eb.case().when(endsItself).then(eb.ref('j.finished_at')).else(eb.val(now)).end(),
        updated_at: now,
      };
    })
    .where('j.id', '=', anyOf(jobIds, 'bigint'))
    .where('j.kind', '=', constant('build'))
    .where('j.status', '=', anyOf(statuses, 'text'))
    .returning(['j.id', 'j.status', 'j.started_at', 'j.resource_group_id'])
    .execute();
  const canceled = changed.filter((job) => job.status === 'canceled');
  await releaseResources(ctx, canceled);
  const logging = canceled.filter((job) => job.started_at);
  await ctx.jobs.sendAll(
    sealJobLogs,
    logging.map(({ id }) => ({ job_id: id })),
  );
  return changed.map((job) => job.id);
}
