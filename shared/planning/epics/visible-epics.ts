import type { Context } from '../../core/context.js';
import { ACCESS_LEVELS } from '../../core/policy.js';
import { and, or, raw, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { memberOfGroup, today } from '../../tenancy/access/access.js';
import { visibleGroupsCondition } from '../../tenancy/groups/group.finder.js';

/**
 * Epics that the caller may read: the same rule as `read_epic`, as a condition on them, their group `n` and its
 * settings `gs`.
 * @param alias of the table of epics
 */
export function visibleEpics(ctx: Context, alias = 'i'): Sql {
  const { caller } = ctx;
  const groups = visibleGroupsCondition(ctx);
  if (caller.admin) return groups;
  const open = sql`not ${raw(alias)}.confidential`;
  if (caller.anonymous) return and([groups, open]);
  const own = sql`${raw(alias)}.author_id = ${caller.id}`;
  return and([groups, or([open, own, memberOfGroup(caller.id, today(ctx), ACCESS_LEVELS.planner)])]);
}
