import { sql } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant, unnestedColumns } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { assignResources } from '../ci.jobs.js';

/** As constants: the index of upcoming jobs serves only this condition. */
const UPCOMING = [constant('created'), constant('scheduled'), constant('waiting_for_resource')];

/** How the next job of a group is chosen (ci-execution.md 8). */
export const PROCESS_MODES = ['unordered', 'oldest_first', 'newest_first', 'newest_ready_first'] as const;

interface NextJob {
  resource_group_id: number;
  job_id: number;
  pipeline_id: number;
  status: string;
}

/**
 * Of each group that nobody uses the job that comes next, with the groups locked until the transaction ends. By
 * `oldest_first` and `newest_first` that may be one that does not wait yet: until it does, nobody gets the resource.
 */
export async function findNextJobs(ctx: Context<Caller>, groupIds: readonly number[]): Promise<NextJob[]> {
  if (groupIds.length === 0) return [];
  const db = ctx.em.getKysely<CiDatabase>();
  const free = await db
    .selectFrom('resource_groups as g')
    .select('g.id')
    .where('g.id', '=', anyOf(groupIds, 'bigint'))
    .where('g.holder_job_id', 'is', null)
    .orderBy('g.id')
    .forUpdate()
    .execute();
  if (free.length === 0) return [];
  return db
    .selectFrom('resource_groups as g')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('jobs as j')
          .select(['j.id', 'j.pipeline_id', 'j.status'])
          .whereRef('j.resource_group_id', '=', 'g.id')
          .where('j.status', 'in', UPCOMING)
          .where('j.retried', '=', constant(false))
          .where((of) =>
            of.or([
              of('j.status', '=', constant('waiting_for_resource')),
              of('g.process_mode', 'in', [constant('oldest_first'), constant('newest_first')]),
            ]),
          )
          .orderBy((of) =>
            of
              .case()
              .when('g.process_mode', 'in', [constant('newest_first'), constant('newest_ready_first')])
              .then(sql<number>`-${of.ref('j.pipeline_id')}`)
              .else(of.ref('j.pipeline_id'))
              .end(),
          )
          .orderBy((of) => of('j.status', '<>', constant('waiting_for_resource')))
          .orderBy('j.id')
          .limit(constant(1))
          .as('next'),
      (join) => join.onTrue(),
    )
    .select(['g.id as resource_group_id', 'next.id as job_id', 'next.pipeline_id', 'next.status'])
    .where(
      'g.id',
      '=',
      anyOf(
        free.map(({ id }) => id),
        'bigint',
      ),
    )
    .orderBy('g.id')
    .execute();
}

/** Gives groups to jobs. */
export async function holdResources(ctx: Context<Caller>, next: readonly NextJob[]): Promise<void> {
  if (next.length === 0) return;
  const held = unnestedColumns({
    group_id: [next.map((row) => row.resource_group_id), 'bigint'],
    job_id: [next.map((row) => row.job_id), 'bigint'],
  });
  await ctx.em
    .getKysely<CiDatabase>()
    .updateTable('resource_groups as g')
    .from(held.as('u'))
    .set((eb) => ({ holder_job_id: eb.ref('u.job_id'), updated_at: ctx.clock.now() }))
    .whereRef('g.id', '=', 'u.group_id')
    .execute();
}

/** A job that is over, or will not need its resource any more. */
interface Released {
  id: number;
  resource_group_id?: number | null | undefined;
}

/**
 * Frees the resources of jobs that are over, and has the next job of each of their groups come on, once the transaction
 * is committed.
 */
export async function releaseResources(ctx: Context<Caller>, jobs: readonly Released[]): Promise<void> {
  const using = jobs.filter((job) => typeof job.resource_group_id === 'number');
  if (using.length === 0) return;
  await ctx.em
    .getKysely<CiDatabase>()
    .updateTable('resource_groups')
    .set({ holder_job_id: null, updated_at: ctx.clock.now() })
    .where(
      'holder_job_id',
      '=',
      anyOf(
        using.map(({ id }) => id),
        'bigint',
      ),
    )
    .execute();
  const groups = new Set(using.map((job) => job.resource_group_id as number));
  await ctx.jobs.sendAll(
    assignResources,
    [...groups].map((id) => ({ resource_group_id: id })),
  );
}
