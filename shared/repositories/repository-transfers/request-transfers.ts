import type { Context } from '../../core/context.js';
import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { callTransfers } from './repository-transfer.jobs.js';
import type { TransferJob, TransferKind } from './repository-transfer.jobs.js';

const USERS: Record<TransferKind['user'], Fragment> = {
  creator: raw('p.creator_id'),
  mirror_user: raw('s.mirror_user_id'),
};

/**
 * Asks for repositories to be brought in or up to date, each when it is its turn; one that is asked for while it waits
 * is done once, one that is being done is done again. In the caller's transaction.
 * @param options.background nobody waits for them
 */
export async function requestTransfers<P extends TransferJob>(
  ctx: Context,
  { job, user }: TransferKind<P>,
  payloads: readonly P[],
  { background = false } = {},
): Promise<void> {
  if (payloads.length === 0) return;
  // Their jobs are sent later, by whom it may be.
  const sealed = payloads.map((payload) => ctx.jobs.seal(job, payload));
  await ctx.query(sql`
    insert into repository_transfers as t
      (project_id, queue, payload, user_id, root_namespace_id, background, requested_at)
    select p.id, ${job.name}, u.payload, coalesce(${USERS[user]}, 0), n.traversal_ids[1], ${background},
           ${ctx.clock.now()}
      from jsonb_array_elements(${JSON.stringify(sealed)}::jsonb) as u (payload)
      join projects p on p.id = (u.payload ->> 'project_id')::bigint
      join namespaces n on n.id = p.namespace_id
      join project_settings s on s.project_id = p.id
     order by p.id
    on conflict (project_id, queue) do update
      set payload = excluded.payload, user_id = excluded.user_id, root_namespace_id = excluded.root_namespace_id,
          background = t.background and excluded.background, again = t.job_id is not null`);
  await ctx.jobs.send(callTransfers, {});
}
