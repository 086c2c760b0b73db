import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { DomainEvent } from '../../core/values/events.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { closeIssuesByCommits } from '../planning.jobs.js';

/** Schedules the scan of new commits on default branches, in the transaction that moves the branch. */
export async function scanPushes(ctx: Context<Caller>, events: readonly DomainEvent<'refs.updated'>[]): Promise<void> {
  // Changes not pushed by a user close no issues.
  if (ctx.caller.kind !== 'user') return;
  const { id: userId } = ctx.caller;
  const moved = events.flatMap(({ project_id: projectId, changes }) =>
    changes.flatMap(({ fullName, from, to }) =>
      to && fullName.startsWith('refs/heads/') ? [{ projectId, fullName, from, to: to.target_sha }] : [],
    ),
  );
  if (moved.length === 0) return;
  const ids = [...new Set(moved.map(({ projectId }) => projectId))];
  const found = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('projects as p')
    .select(['p.id', 'p.default_branch'])
    .where('p.id', '=', anyOf(ids, 'bigint'))
    .where('p.default_branch', 'is not', null)
    .where('p.issues_access_level', '<>', constant('disabled'))
    .execute();
  const branches = new Map(found.map(({ id, default_branch: branch }) => [id, `refs/heads/${branch}`]));
  await ctx.jobs.sendAll(
    closeIssuesByCommits,
    moved
      .filter(({ projectId, fullName }) => branches.get(projectId) === fullName)
      .map(({ projectId, from, to }) => ({ project_id: projectId, user_id: userId, from, to })),
  );
}
