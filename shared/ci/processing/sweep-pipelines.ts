import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { assignResources, processPipelines } from '../ci.jobs.js';
import { FINAL_STATUSES } from '../job-states/status-predicates.js';

/** What one sweep takes up at most. */
const BATCH = 500;

/** As the index of pipelines that are not over has them. */
const FINAL = FINAL_STATUSES.map((status) => constant(status));

/** Pipelines whose jobs changed at or after their last processing, or whose delayed jobs may begin. */
async function findPipelinesToProcess(ctx: Context): Promise<number[]> {
  const rows = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('pipelines as pl')
    .select('pl.id')
    .where('pl.kind', '=', constant('config'))
    .where('pl.status', 'not in', FINAL)
    .where((eb) =>
      eb.or([
        eb('pl.processed_at', 'is', null),
        eb.exists(
          eb
            .selectFrom('jobs as j')
            .select(eb.lit(1).as('one'))
            .whereRef('j.pipeline_id', '=', 'pl.id')
            .where((of) =>
              of.or([
                of('j.updated_at', '>=', of.ref('pl.processed_at')),
                of.and([of('j.status', '=', constant('scheduled')), of('j.scheduled_at', '<=', ctx.clock.now())]),
              ]),
            ),
        ),
      ]),
    )
    .orderBy('pl.id')
    .limit(constant(BATCH))
    .execute();
  return rows.map(({ id }) => id);
}

/** Frees groups whose holders are over, and finds those that nobody uses although jobs wait for them. */
async function findFreeGroups(ctx: Context): Promise<number[]> {
  const db = ctx.em.getKysely<CiDatabase>();
  await db
    .updateTable('resource_groups as g')
    .from('jobs as j')
    .set({ holder_job_id: null, updated_at: ctx.clock.now() })
    .whereRef('j.id', '=', 'g.holder_job_id')
    .where('j.status', '=', anyOf(FINAL_STATUSES as readonly string[], 'text'))
    .execute();
  const rows = await db
    .selectFrom('resource_groups as g')
    .select('g.id')
    .where('g.holder_job_id', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('jobs as j')
          .select(eb.lit(1).as('one'))
          .whereRef('j.resource_group_id', '=', 'g.id')
          .where('j.status', 'in', [constant('created'), constant('scheduled'), constant('waiting_for_resource')])
          .where('j.status', '=', constant('waiting_for_resource')),
      ),
    )
    .orderBy('g.id')
    .limit(constant(BATCH))
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Has everything processed that a crash, or a lost job of the queue, left behind. Nothing here changes a state itself.
 * @returns how many pipelines and resource groups were found
 */
export function requestMissedProcessing(ctx: Context): Promise<{ pipelines: number; groups: number }> {
  return ctx.transaction(async () => {
    const pipelines = await findPipelinesToProcess(ctx);
    // Nothing changed here that a job which has begun might miss: no lock is needed.
    for (const id of pipelines)
      await ctx.jobs.send(processPipelines, { pipeline_id: id }, { singletonKey: String(id) });
    const groups = await findFreeGroups(ctx);
    await ctx.jobs.sendAll(
      assignResources,
      groups.map((id) => ({ resource_group_id: id })),
    );
    return { pipelines: pipelines.length, groups: groups.length };
  });
}
