import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import type { DomainEvent } from '../../core/events.js';
import { sql } from '../../core/sql.js';
import { refreshMergeRequests } from './merge-request-version.jobs.js';

const BRANCHES = 'refs/heads/';

/** Has the merge requests of branches that moved looked at, in the transaction that moves them. */
export async function followBranches(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'refs.updated'>[],
): Promise<void> {
  const moved = events.flatMap(({ project_id, changes }) =>
    changes.flatMap(({ fullName, from, to }) =>
      to && fullName.startsWith(BRANCHES)
        ? [{ project_id, branch: fullName.slice(BRANCHES.length), from, to: to.target_sha }]
        : [],
    ),
  );
  if (moved.length === 0) return;
  const wanted = await ctx.query<{ at: number }>(sql`
    select u.at::int as "at"
      from unnest(${moved.map(({ project_id: id }) => id)}::bigint[], ${moved.map(({ branch }) => branch)}::text[])
        with ordinality as u (project_id, branch, at)
     where exists (select 1 from merge_requests i
              where i.source_project_id = u.project_id and i.source_branch = u.branch and i.state in ('opened', 'locked'))
        or exists (select 1 from merge_requests i
              where i.project_id = u.project_id and i.target_branch = u.branch and i.state in ('opened', 'locked'))`);
  const user_id = ctx.caller.kind === 'user' ? ctx.caller.id : null;
  const moved_at = ctx.clock.now().toISOString();
  await ctx.jobs.sendAll(
    refreshMergeRequests,
    wanted.flatMap(({ at }) => (moved[at - 1] ? [{ ...moved[at - 1]!, user_id, moved_at }] : [])),
  );
}
