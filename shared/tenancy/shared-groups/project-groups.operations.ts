import type { GroupRecord } from '../groups/group.record.js';
import type { ProjectRecord } from '../projects/project.record.js';
import type { Context } from '../../core/context.js';
import { boolean, integer, list, optional, oneOfIntegers, text, withDefault } from '../../core/fields.js';
import type { TextList } from '../../core/list.js';
import { can, operation } from '../../core/operation.js';
import { and, likeLiteral, or, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { visibleGroups, visibleGroupsCondition } from '../groups/group.finder.js';
import { today, unexpired } from '../access/access.js';
import { project } from '../projects/project.finder.js';
import { projectPolicy } from '../projects/project.policy.js';

interface Input {
  search?: string | undefined;
  skip_groups?: number[] | undefined;
  with_shared: boolean;
  shared_visible_only: boolean;
  shared_min_access_level?: number | undefined;
}

/** Groups that a project is shared with: Maintainers see all of them, others those that they may read. */
function invited(ctx: Context, found: ProjectRecord, input: Input): Fragment {
  const shares = [sql`s.project_id = ${found.id}`, sql`s.group_id = n.id`, unexpired('s', today(ctx))];
  if (input.shared_min_access_level !== undefined) shares.push(sql`s.group_access >= ${input.shared_min_access_level}`);
  const condition = sql`exists (select 1 from project_shares s where ${and(shares)})`;
  const all = projectPolicy.admin_project(ctx.caller, found) && !input.shared_visible_only;
  return all ? condition : and([condition, visibleGroupsCondition(ctx)]);
}

/** The groups above a project, which whoever may read it may know of, and those invited to it; the newest first. */
function groupsOf(ctx: Context, found: ProjectRecord, input: Input): TextList<GroupRecord> {
  const above = sql`n.id = any(${found.namespace.traversal_ids}::bigint[])`;
  const where = [input.with_shared ? or([above, invited(ctx, found, input)]) : above];
  if (input.search !== undefined) {
    const pattern = `%${likeLiteral(input.search)}%`;
    where.push(sql`n.name ilike ${pattern} or n.path ilike ${pattern}`);
  }
  if (input.skip_groups !== undefined) where.push(sql`n.id <> all(${input.skip_groups}::bigint[])`);
  const { select, from, order } = visibleGroups(ctx);
  const byId = order.filter(({ key }) => key === 'id').map((step) => ({ ...step, direction: 'desc' as const }));
  return { select, from, where: [sql`n.kind = 'group'`, ...where], order: byId };
}

/** List the groups that a project lies in, and on wish those that it is shared with. */
export const listProjectGroups = operation({
  name: 'listProjectGroups',
  summary: 'List the groups of a project',
  subject: project,
  can: can(projectPolicy, 'read_project'),
  kind: 'read',
  statements: 4,
  params: {
    search: optional(text()).describe('Part of name or path.'),
    skip_groups: optional(list(integer(), { commas: true })).describe('Without these groups.'),
    with_shared: withDefault(boolean(), false).describe('Also groups that the project is shared with.'),
    shared_visible_only: withDefault(boolean(), false).describe(
      'Of shared groups only those that the caller may read.',
    ),
    shared_min_access_level: optional(oneOfIntegers([10, 15, 20, 30, 40, 50])).describe(
      'Only groups shared with this level or more.',
    ),
  },
  run: (ctx, found, input) => Promise.resolve(groupsOf(ctx, found, input)),
});
