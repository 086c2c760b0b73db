import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { projectColumns, projectTables } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { ListedIssue } from './issue.record.js';

/** The projects of issues that the caller may read. */
export async function projectsOfIssues(
  ctx: Context,
  issues: readonly Readonly<ListedIssue>[],
): Promise<Map<Readonly<ListedIssue>, ProjectRecord>> {
  const ids = [...new Set(issues.map(({ project_id }) => project_id))];
  const rows = await ctx.query<ProjectRecord>(sql`
    select ${projectColumns(ctx)} from ${projectTables} where p.id = any(${ids}::bigint[])`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    issues.flatMap((issue): [Readonly<ListedIssue>, ProjectRecord][] => {
      const project = byId.get(issue.project_id);
      return project ? [[issue, project]] : [];
    }),
  );
}
