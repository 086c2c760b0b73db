import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import type { DomainEvent } from '../../core/events.js';
import { sql } from '../../core/sql.js';
import { closeIssuesByCommits } from './closing-commit.jobs.js';

/** Has the new commits of default branches looked through, in the transaction that moves the branch. */
export async function followPushes(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'refs.updated'>[],
): Promise<void> {
  // What nobody pushed closes nothing.
  if (ctx.caller.kind !== 'user') return;
  const { id: userId } = ctx.caller;
  const moved = events.flatMap(({ project_id: projectId, changes }) =>
    changes.flatMap(({ fullName, from, to }) =>
      to && fullName.startsWith('refs/heads/') ? [{ projectId, fullName, from, to: to.target_sha }] : [],
    ),
  );
  if (moved.length === 0) return;
  const found = await ctx.query<{ id: number; branch: string }>(sql`
    select p.id as "id", 'refs/heads/' || p.default_branch as "branch" from projects p
     where p.id = any(${[...new Set(moved.map(({ projectId }) => projectId))]}::bigint[])
       and p.default_branch is not null and p.issues_access_level <> 'disabled'`);
  const branches = new Map(found.map(({ id, branch }) => [id, branch]));
  await ctx.jobs.sendAll(
    closeIssuesByCommits,
    moved
      .filter(({ projectId, fullName }) => branches.get(projectId) === fullName)
      .map(({ projectId, from, to }) => ({ project_id: projectId, user_id: userId, from, to })),
  );
}
