import { sql } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { unnestedRows } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { callTransfers } from '../repositories.jobs.js';
import type { TransferJob, TransferKind } from '../repositories.jobs.js';

const USERS = { creator: 'p.creator_id', mirror_user: 's.mirror_user_id' } as const;

/**
 * Requests imports or updates of repositories, which wait in the queue; a transfer requested again while it waits runs
 * once, and one requested again while it runs is repeated. Runs in the caller's transaction.
 * @param options.background no user waits for them
 */
export async function requestTransfers<P extends TransferJob>(
  ctx: Context,
  { job, user }: TransferKind<P>,
  payloads: readonly P[],
  { background = false } = {},
): Promise<void> {
  if (payloads.length === 0) return;
  // Their jobs are sent later, possibly by another process.
  const rows = payloads.map((payload) => ({
    project_id: payload.project_id,
    payload: JSON.stringify(ctx.jobs.seal(job, payload)),
  }));
  await ctx.em
    .getKysely<RepositoriesDatabase>()
    .insertInto('repository_transfers')
    .columns(['project_id', 'queue', 'payload', 'user_id', 'root_namespace_id', 'background', 'requested_at'])
    .expression((eb) =>
      eb
        .selectFrom(unnestedRows(rows, { project_id: 'bigint', payload: 'jsonb' }).as('u'))
        .innerJoin('projects as p', 'p.id', 'u.project_id')
        .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
        .innerJoin('project_settings as s', 's.project_id', 'p.id')
        .select((of) => [
          'p.id as project_id',
          of.val(job.name).as('queue'),
          of.ref('u.payload').$castTo<object>().as('payload'),
          of.fn.coalesce(USERS[user], of.lit(0)).as('user_id'),
          sql<number>`${of.ref('n.traversal_ids')}[1]`.as('root_namespace_id'),
          of.val(background).as('background'),
          of.val(ctx.clock.now()).as('requested_at'),
        ])
        .orderBy('p.id'),
    )
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'queue']).doUpdateSet((eb) => ({
        payload: eb.ref('excluded.payload'),
        user_id: eb.ref('excluded.user_id'),
        root_namespace_id: eb.ref('excluded.root_namespace_id'),
        background: eb
          .and([eb.ref('repository_transfers.background'), eb.ref('excluded.background')])
          .$castTo<boolean>(),
        again: eb('repository_transfers.job_id', 'is not', null).$castTo<boolean>(),
      })),
    )
    .execute();
  await ctx.jobs.send(callTransfers, {});
}
