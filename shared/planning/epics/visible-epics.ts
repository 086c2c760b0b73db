import type { Context } from '../../core/context.js';
import { ACCESS_LEVELS } from '../../core/policy.js';
import { and, or, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { memberOfGroup, today } from '../../tenancy/access/access.js';
import { visibleGroupsCondition } from '../../tenancy/groups/group.finder.js';

/**
 * Of the epics of groups that the caller may read those that they may read, as a condition on them and their group `n`.
 * @param alias of the table of epics
 */
export function readableInGroup(ctx: Context, alias = 'i'): Fragment {
  const { caller } = ctx;
  if (caller.admin) return sql`true`;
  const open = sql`not ${raw(alias)}.confidential`;
  if (caller.anonymous) return open;
  const own = sql`${raw(alias)}.author_id = ${caller.id}`;
  return or([open, own, memberOfGroup(caller.id, today(ctx), ACCESS_LEVELS.planner)]);
}

/**
 * Epics that the caller may read: the same rule as `read_epic`, as a condition on them, their group `n` and its
 * settings `gs`.
 * @param alias of the table of epics
 */
export const visibleEpics = (ctx: Context, alias = 'i'): Fragment =>
  and([visibleGroupsCondition(ctx), readableInGroup(ctx, alias)]);
