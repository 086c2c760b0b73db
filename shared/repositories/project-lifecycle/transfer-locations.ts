import type { Context } from '../../core/context.js';
import { optional, text } from '../../core/fields.js';
import { can, operation } from '../../core/operation.js';
import { and, likeLiteral, or, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { visibleGroups } from '../../tenancy/groups/group.finder.js';
import { memberOfGroup, today } from '../../tenancy/access/access.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';

/** Groups `n` with settings `gs` in which the caller may create projects: the rule of `findProjectTarget` for lists. */
function openForProjects(ctx: Context): Sql {
  const standing = sql`not n.frozen and not n.archived`;
  const level = sql`coalesce(gs.project_creation_level, 'developer')`;
  if (ctx.caller.admin) return and([standing, sql`${level} <> 'noone'`]);
  const from = (role: string, least: number) =>
    and([sql`${level} = ${role}`, memberOfGroup(ctx.caller.id, today(ctx), least)]);
  return and([standing, or([from('developer', 30), from('maintainer', 40), from('owner', 50)])]);
}

/** List the groups that a project can be transferred to: Owners, by name. */
export const listTransferLocations = operation({
  name: 'listTransferLocations',
  summary: 'List the groups that a project can be transferred to',
  subject: project,
  can: can(projectPolicy, 'transfer_project'),
  kind: 'read',
  statements: 4,
  params: { search: optional(text()).describe('Part of name or path.') },
  run(ctx, found, { search }) {
    const where = [openForProjects(ctx), sql`n.id <> ${found.namespace_id}`];
    if (search !== undefined) {
      const pattern = `%${likeLiteral(search)}%`;
      where.push(sql`n.name ilike ${pattern} or n.path ilike ${pattern}`);
    }
    return Promise.resolve(visibleGroups(ctx, where));
  },
});
