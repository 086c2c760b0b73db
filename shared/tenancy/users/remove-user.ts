import { removeAvatarsOf } from '../../instance/avatars/avatar-files.js';
import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { anyOf } from '../../core/database/expressions.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { User } from './user.entity.js';
import { removeGroup, removeProjects } from '../groups/remove-group.js';
import { ghostUser } from './ghost-user.js';
import { removeAuthoredContent } from './authored-content.js';
import { soleOwnedGroups } from './sole-owned-groups.js';

/** Rows moved to the ghost in one transaction. */
const BATCH = 1000;

/**
 * Columns that record who did something for others. The ghost user replaces a deleted user there; a hard removal leaves
 * them to the columns' foreign keys, which clear them. A table whose rows are a user's own content, such as issues, is
 * listed here too, and a hard removal deletes the user's rows from it (`removeWithAuthor`).
 */
const CONTRIBUTIONS = [
  { table: 'projects', column: 'creator_id' },
  { table: 'pipelines', column: 'user_id' },
  { table: 'pipeline_schedule_runs', column: 'user_id' },
  { table: 'jobs', column: 'user_id' },
  { table: 'deploy_tokens', column: 'created_by_id' },
  { table: 'deploy_keys', column: 'user_id' },
  { table: 'events', column: 'author_id' },
  { table: 'issues', column: 'author_id' },
  { table: 'issues', column: 'updated_by_id' },
  { table: 'issues', column: 'closed_by_id' },
  { table: 'issue_timelogs', column: 'user_id' },
  { table: 'issue_award_emojis', column: 'user_id' },
  { table: 'issue_state_events', column: 'user_id' },
  { table: 'issue_label_events', column: 'user_id' },
  { table: 'issue_milestone_events', column: 'user_id' },
  { table: 'issue_weight_events', column: 'user_id' },
  { table: 'merge_requests', column: 'author_id' },
  { table: 'merge_requests', column: 'updated_by_id' },
  { table: 'merge_requests', column: 'closed_by_id' },
  { table: 'merge_requests', column: 'merge_user_id' },
  { table: 'merge_request_timelogs', column: 'user_id' },
  { table: 'merge_request_award_emojis', column: 'user_id' },
  { table: 'merge_request_state_events', column: 'user_id' },
  { table: 'merge_request_label_events', column: 'user_id' },
  { table: 'merge_request_milestone_events', column: 'user_id' },
  { table: 'epics', column: 'author_id' },
  { table: 'epics', column: 'updated_by_id' },
  { table: 'epics', column: 'closed_by_id' },
  { table: 'epic_award_emojis', column: 'user_id' },
  { table: 'epic_state_events', column: 'user_id' },
  { table: 'epic_label_events', column: 'user_id' },
  { table: 'snippets', column: 'author_id' },
  { table: 'snippet_award_emojis', column: 'user_id' },
  { table: 'notes', column: 'author_id' },
  { table: 'deployments', column: 'user_id' },
  { table: 'cluster_agents', column: 'created_by_user_id' },
  { table: 'deployment_approvals', column: 'user_id' },
] as const;

/** Of those tables, which lie in domains above, as queries name one. */
interface Contributions {
  contributions: Record<(typeof CONTRIBUTIONS)[number]['column'] | 'id', number>;
}

interface Leaving {
  id: number;
  namespace_id: number | null;
}

/** The user to remove, unless the job has been done already. */
function leavingUser(ctx: Context, userId: number): Promise<Leaving | undefined> {
  return ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('users as u')
    .leftJoin('namespaces as n', 'n.owner_id', 'u.id')
    .select(['u.id', 'n.id as namespace_id'])
    .where('u.id', '=', userId)
    .where((eb) => eb.not(eb.ref('u.internal')))
    .forNoKeyUpdate('u')
    .executeTakeFirst();
}

/** Deletes groups that would have no Owner left, with everything in them. */
async function removeOwnGroups(ctx: Context, userId: number): Promise<void> {
  const marked = await ctx.transaction(async () => {
    const groups = await soleOwnedGroups(ctx, userId);
    return ctx.em
      .getKysely<TenancyDatabase>()
      .updateTable('group_settings as gs')
      .set((eb) => ({
        marked_for_deletion_at: eb.fn.coalesce('gs.marked_for_deletion_at', eb.val(ctx.clock.now())),
      }))
      .where('gs.namespace_id', '=', anyOf(groups, 'bigint'))
      .returning(['gs.namespace_id as id', 'gs.marked_for_deletion_at as marked_at'])
      .$narrowType<{ marked_at: Date }>()
      .execute();
  });
  for (const { id, marked_at } of marked) await removeGroup(ctx, id, marked_at);
}

/** @returns whether there may be more */
async function handToGhost(ctx: Context, userId: number): Promise<boolean> {
  const ghost = await ghostUser(ctx);
  for (const { table, column } of CONTRIBUTIONS) {
    const contributions = table as string as 'contributions';
    const moved = await ctx.em
      .getKysely<Contributions>()
      .updateTable(contributions)
      .set(column, ghost)
      .where('id', 'in', (eb) =>
        eb.selectFrom(`${contributions} as c`).select('c.id').where(`c.${column}`, '=', userId).limit(BATCH),
      )
      .returning('id')
      .execute();
    if (moved.length === BATCH) return true;
  }
  return false;
}

/** One step of a removal, in a transaction of its own. @returns whether there may be more */
async function step(ctx: Context, userId: number, hard: boolean): Promise<boolean> {
  const leaving = await leavingUser(ctx, userId);
  if (!leaving) return false;
  if (leaving.namespace_id !== null && (await removeProjects(ctx, leaving.namespace_id))) return true;
  if (await (hard ? removeAuthoredContent(ctx, userId, BATCH) : handToGhost(ctx, userId))) return true;
  await ctx.em.nativeDelete(User, { id: userId });
  await removeAvatarsOf(ctx, 'user', [userId]);
  ctx.afterCommit(() => ctx.services.forgetCallers());
  return false;
}

/**
 * Removes a user for good: the projects of the personal namespace, what they did for others handed to the ghost, then
 * the user with tokens, roles, follows and the like. Steps are small; safe to repeat, and to go on with after a crash.
 * @param hard removes groups that they alone own, and leaves no ghost
 */
export async function removeUser(ctx: Context, userId: number, hard: boolean): Promise<void> {
  if (hard) await removeOwnGroups(ctx, userId);
  await inSteps(ctx, () => ctx.transaction(() => step(ctx, userId, hard)));
}
