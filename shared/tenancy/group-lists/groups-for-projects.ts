import type { Context } from '../../core/context.js';
import { ACCESS_LEVELS } from '../../core/policy.js';
import { and, or, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { memberOfGroup, today } from '../access/access.js';

/** Groups `n` with settings `gs` in which the caller may create projects: the rule of `create_projects` for lists. */
export function acceptsProjects(ctx: Context): Fragment {
  const standing = sql`not n.frozen and not n.archived`;
  const level = sql`coalesce(gs.project_creation_level, 'developer')`;
  if (ctx.caller.admin) return and([standing, sql`${level} <> 'noone'`]);
  if (ctx.caller.anonymous) return sql`false`;
  const { id } = ctx.caller;
  const from = (role: 'developer' | 'maintainer' | 'owner') =>
    and([sql`${level} = ${role}`, memberOfGroup(id, today(ctx), ACCESS_LEVELS[role])]);
  return and([standing, or([from('developer'), from('maintainer'), from('owner')])]);
}

/** What the caller wants to do with projects in a group. */
export const GROUP_PERMISSIONS = ['create_projects', 'import_projects', 'transfer_projects'] as const;

/** Groups in which the caller may do that; only Maintainers import. */
export function permitsProjects(ctx: Context, permission: (typeof GROUP_PERMISSIONS)[number]): Fragment {
  const { caller } = ctx;
  if (permission !== 'import_projects' || caller.admin || caller.anonymous) return acceptsProjects(ctx);
  return and([acceptsProjects(ctx), memberOfGroup(caller.id, today(ctx), ACCESS_LEVELS.maintainer)]);
}
