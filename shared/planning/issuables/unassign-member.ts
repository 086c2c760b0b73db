import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { raw, sql } from '../../core/sql.js';
import type { NamedContainer } from '../../tenancy/tenancy.events.js';
import { issueType, mergeRequestType } from './issuable-type.js';

/** Takes issues and merge requests from somebody who left a project, or a group with all projects below it. */
export async function unassignMember(ctx: Context<Caller>, container: NamedContainer, userId: number): Promise<void> {
  const projects =
    'project' in container
      ? sql`select ${container.project.id}::bigint`
      : sql`select p.id from projects p join namespaces n on n.id = p.namespace_id
             where n.traversal_ids @> array[${container.group.id}]::bigint[]`;
  for (const table of [issueType.assignees, mergeRequestType.assignees, raw('merge_request_reviewers')])
    await ctx.query(sql`delete from ${table} x where x.user_id = ${userId} and x.project_id in (${projects})`);
}
