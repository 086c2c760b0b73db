import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { constant } from '../../core/database/expressions.js';
import { onGroups } from '../groups/group.finder.js';
import { memberOfGroup, today } from '../namespaces/access.js';

/** Groups `n` with settings `gs` in which the caller may create projects: the rule of `create_projects` for lists. */
export function acceptsProjects(ctx: Context): Expression<SqlBool> {
  if (ctx.caller.anonymous) return constant(false);
  const isStanding = onGroups.and([onGroups.not(onGroups.ref('n.frozen')), onGroups.not(onGroups.ref('n.archived'))]);
  const level = onGroups.fn.coalesce('gs.project_creation_level', onGroups.val('developer'));
  if (ctx.caller.admin) return onGroups.and([isStanding, onGroups(level, '<>', 'noone')]);
  const { id } = ctx.caller;
  const from = (role: 'developer' | 'maintainer' | 'owner') =>
    onGroups.and([onGroups(level, '=', role), memberOfGroup(id, today(ctx), ACCESS_LEVELS[role])]);
  return onGroups.and([isStanding, onGroups.or([from('developer'), from('maintainer'), from('owner')])]);
}

/** Actions that the caller may want to perform on projects in a group. */
export const GROUP_PERMISSIONS = ['create_projects', 'import_projects', 'transfer_projects'] as const;

/** Groups in which the caller may do that; only Maintainers import. */
export function permitsProjects(ctx: Context, permission: (typeof GROUP_PERMISSIONS)[number]): Expression<SqlBool> {
  const { caller } = ctx;
  if (permission !== 'import_projects' || caller.admin || caller.anonymous) return acceptsProjects(ctx);
  return onGroups.and([acceptsProjects(ctx), memberOfGroup(caller.id, today(ctx), ACCESS_LEVELS.maintainer)]);
}
