import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { DomainEvent } from '../../core/values/events.js';
import { constant, unnestedRows } from '../../core/database/expressions.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { refreshMergeRequests } from '../merge-requests.jobs.js';

const BRANCHES = 'refs/heads/';

/** Schedules the refresh of the merge requests of moved branches, in the transaction that moves them. */
export async function syncMergeRequests(
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
  const rows = await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom(unnestedRows(moved, { project_id: 'bigint', branch: 'text' }).withPositionAs('u'))
    .select('u.position')
    .where((eb) => {
      const open = eb
        .selectFrom('merge_requests as i')
        .select(eb.lit(1).as('one'))
        .where('i.state', 'in', [constant('opened'), constant('locked')]);
      const from = open
        .whereRef('i.source_project_id', '=', 'u.project_id')
        .whereRef('i.source_branch', '=', 'u.branch');
      const into = open.whereRef('i.project_id', '=', 'u.project_id').whereRef('i.target_branch', '=', 'u.branch');
      return eb.or([eb.exists(from), eb.exists(into)]);
    })
    .execute();
  const user_id = ctx.caller.kind === 'user' ? ctx.caller.id : null;
  const moved_at = ctx.clock.now().toISOString();
  await ctx.jobs.sendAll(
    refreshMergeRequests,
    rows.flatMap(({ position }) => {
      const branch = moved[position - 1];
      return branch ? [{ ...branch, user_id, moved_at }] : [];
    }),
  );
}
