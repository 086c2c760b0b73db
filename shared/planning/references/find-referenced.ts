import type { Context } from '../../core/context.js';
import type { WantedReference } from '../../core/markdown/reference-source.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { visibleGroupsCondition } from '../../tenancy/groups/group.finder.js';
import { featureOpen } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { ReferencedProjects } from '../../tenancy/references/referenced-projects.js';
import { visibleIssues } from '../issues/visible-issues.js';

/** An issue, label or milestone that a text refers to. */
export interface Referenced {
  readonly kind: 'issue' | 'label' | 'milestone';
  readonly id: number;
  /** Of labels 0. */
  readonly iid: number;
  readonly title: string;
  readonly description: string | null;
  readonly color: string | null;
  /** Of issues, and of what is looked at in a project. */
  readonly project_id: number | null;
  readonly namespace_id: number;
  /** Of the project or group that it is looked at in; of milestones, that they belong to. */
  readonly full_path: string;
  readonly in_group: boolean;
}

/** A reference with the project, or the group by id or path, in which it is looked for. */
interface Placed {
  readonly wanted: WantedReference;
  readonly project: ProjectRecord | undefined;
  readonly groupId: number | null;
  readonly groupPath: string | null;
}

/** Labels and milestones belong to issues and merge requests: who sees neither sees none. */
const showsLabels = (ctx: Context, project: ProjectRecord) =>
  featureOpen(ctx.caller, project, project.issues_access_level) ||
  featureOpen(ctx.caller, project, project.merge_requests_access_level);

function placed(ctx: Context, projects: ReferencedProjects, wanted: WantedReference): Placed | null {
  const project = projects.of(wanted);
  if (project)
    return wanted.kind === 'issue' || showsLabels(ctx, project)
      ? { wanted, project, groupId: null, groupPath: null }
      : null;
  if (wanted.kind === 'issue') return null;
  if (wanted.path !== null) return { wanted, project, groupId: null, groupPath: wanted.path.toLowerCase() };
  return wanted.place?.kind === 'group' ? { wanted, project, groupId: wanted.place.id, groupPath: null } : null;
}

/** The references of some kind as rows `w`; those of the others keep their place in the list. */
function rowsOf(all: readonly Placed[], kind: Referenced['kind']): Fragment {
  const own = [...all.entries()].filter(([, { wanted }]) => wanted.kind === kind);
  const column = <V>(value: (one: Placed) => V) => own.map(([, one]) => value(one));
  const numberOf = ({ wanted: { by, name } }: Placed) => (by === 'number' ? Number(name) : null);
  return sql`unnest(${own.map(([at]) => at)}::integer[], ${column(({ project }) => project?.id ?? null)}::bigint[],
      ${column(({ project, groupId }) => project?.namespace_id ?? groupId)}::bigint[],
      ${column(({ groupPath }) => groupPath)}::text[], ${column(numberOf)}::bigint[],
      ${column(({ wanted }) => wanted.name)}::text[]) as w (at, project_id, namespace_id, group_path, number, name)`;
}

/** The namespace `n` of each row: a project's, or the group, which the caller may read. */
const namespaces: Fragment = sql`
  join namespaces n on n.id = coalesce(w.namespace_id,
    (select g.namespace_id from routes g where lower(g.path) = w.group_path and w.project_id is null))
  left join group_settings gs on gs.namespace_id = n.id`;

const admitted = (ctx: Context): Fragment => sql`(w.project_id is not null or ${visibleGroupsCondition(ctx)})`;

/** The path of a project, or of a group where there is no project. */
const pathOf = (projectId: Fragment, namespaceId: Fragment): Fragment => sql`
  case when ${projectId} is null then (select r.path from routes r where r.namespace_id = ${namespaceId})
       else (select r.path from routes r where r.project_id = ${projectId}) end`;

const issues = (ctx: Context, all: readonly Placed[]): Fragment => sql`
  select w.at as "at", 'issue' as "kind", i.id as "id", i.iid as "iid", i.title as "title", null as "description",
         null as "color", i.project_id as "project_id", p.namespace_id as "namespace_id", r.path as "full_path",
         false as "in_group"
    from ${rowsOf(all, 'issue')}
    join issues i on i.project_id = w.project_id and i.iid = w.number
    join projects p on p.id = i.project_id join routes r on r.project_id = p.id
   where ${visibleIssues(ctx)}`;

const labels = (ctx: Context, all: readonly Placed[]): Fragment => sql`
  select w.at, 'label', l.id, 0, l.title, l.description, l.color, w.project_id, n.id,
         ${pathOf(sql`w.project_id`, sql`n.id`)}, w.project_id is null
    from ${rowsOf(all, 'label')} ${namespaces}
    cross join lateral (
      select own.* from labels own where own.id = w.number
         and (own.project_id = w.project_id or own.namespace_id = any(n.traversal_ids))
      union all
      select own.* from labels own where w.number is null and own.project_id = w.project_id and own.title = w.name
      union all
      select own.* from labels own
       where w.number is null and own.namespace_id = any(n.traversal_ids) and own.title = w.name
      limit 1) l
   where ${admitted(ctx)}`;

const milestones = (ctx: Context, all: readonly Placed[]): Fragment => sql`
  select w.at, 'milestone', m.id, m.iid, m.title, null, null, m.project_id, n.id,
         ${pathOf(sql`m.project_id`, sql`m.namespace_id`)}, m.project_id is null
    from ${rowsOf(all, 'milestone')} ${namespaces}
    cross join lateral (
      select own.* from milestones own where own.project_id = w.project_id and own.iid = w.number
      union all
      select own.* from milestones own where w.project_id is null and own.namespace_id = n.id and own.iid = w.number
      union all
      select own.* from milestones own where w.number is null and own.project_id = w.project_id and own.title = w.name
      union all
      select own.* from milestones own
       where w.number is null and own.namespace_id = any(n.traversal_ids) and own.title = w.name
      limit 1) m
   where ${admitted(ctx)}`;

/** What issues, labels and milestones references lead to, as far as the caller may see them: one statement. */
export async function findReferenced(
  ctx: Context,
  projects: ReferencedProjects,
  wanted: readonly WantedReference[],
): Promise<Map<WantedReference, Referenced>> {
  const all = wanted.flatMap((one) => placed(ctx, projects, one) ?? []);
  if (all.length === 0) return new Map();
  const rows = await ctx.query<Referenced & { at: number }>(
    sql`${issues(ctx, all)} union all ${labels(ctx, all)} union all ${milestones(ctx, all)}`,
  );
  return new Map(rows.flatMap(({ at, ...row }) => (all[at] ? [[all[at].wanted, row] as const] : [])));
}
