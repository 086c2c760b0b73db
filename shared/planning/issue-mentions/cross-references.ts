import type { Context } from '../../core/context.js';
import { sql, textColumns } from '../../core/sql.js';
import type { NamedGroup, NamedProject } from '../../tenancy/tenancy.events.js';
import { Issue } from '../issues/issue.entity.js';

/** What mentions issues: an issue, a merge request, an epic, or a commit of a project. */
export type MentioningSource =
  | { readonly issue: Issue; readonly project: NamedProject }
  | { readonly merge_request: { readonly id: number; readonly iid: number }; readonly project: NamedProject }
  | { readonly epic: { readonly id: number; readonly iid: number }; readonly group: NamedGroup }
  | { readonly commit: string; readonly project: NamedProject };

type Target = Issue & { readonly project: NamedProject };

/** Issues, with the projects they lie in. */
function findTargets(ctx: Context, ids: readonly number[]): Promise<Target[]> {
  return ctx.query<Target>(sql`
    select ${textColumns(Issue, 'i')}, p.id as "project.id", p.namespace_id as "project.namespace_id", r.path as "project.full_path"
      from issues i join projects p on p.id = i.project_id join routes r on r.project_id = p.id
     where i.id = any(${ids}::bigint[]) order by i.id`);
}

/** Notes which of the issues a source has not mentioned before. Answers their ids. */
async function noteNew(ctx: Context, source: MentioningSource, ids: readonly number[]): Promise<number[]> {
  const own = 'issue' in source ? source.issue.id : null;
  const request = 'merge_request' in source ? source.merge_request.id : null;
  const epic = 'epic' in source ? source.epic.id : null;
  const [projectId, sha] = 'commit' in source ? [source.project.id, source.commit] : [null, null];
  const rows = await ctx.query<{ id: number }>(sql`
    insert into issue_cross_references (project_id, issue_id, source_issue_id, source_merge_request_id,
                                        source_epic_id, source_project_id, source_sha, created_at)
    select i.project_id, i.id, ${own}::bigint, ${request}::bigint, ${epic}::bigint, ${projectId}::bigint,
           ${sha}::text, ${ctx.clock.now()}
      from issues i where i.id = any(${ids}::bigint[]) and i.id is distinct from ${own}::bigint order by i.id
    on conflict do nothing returning issue_id as "id"`);
  return rows.map(({ id }) => id);
}

/**
 * Notes that a source mentions issues, which its author sees, and tells of those that it had not mentioned before.
 * @param untold of these nobody is told: the source closes them
 * @returns the ids of those that are new
 */
export async function noteCrossReferences(
  ctx: Context,
  source: MentioningSource,
  ids: readonly number[],
  untold: ReadonlySet<number> = new Set(),
): Promise<number[]> {
  if (ids.length === 0) return [];
  const fresh = await noteNew(ctx, source, ids);
  const told = fresh.filter((id) => !untold.has(id));
  if (told.length > 0)
    for (const { project, ...issue } of await findTargets(ctx, told))
      ctx.record({ type: 'issue.mentioned', target: { issue, project }, source });
  return fresh;
}
