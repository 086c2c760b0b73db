import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { loadFacts } from './project-details.js';
import { projectColumns, projectTables, visibleProjectsCondition } from './project.finder.js';
import type { ProjectRecord } from './project.finder.js';

/** Loads what forks were forked from, as far as the caller may read it: two statements, none without forks. */
export async function loadUpstreams(ctx: Context, projects: readonly ProjectRecord[]): Promise<void> {
  const ids = [...new Set(projects.map((project) => project.forked_from_id).filter((id) => typeof id === 'number'))];
  if (ids.length === 0) return;
  const found = await ctx.query<ProjectRecord>(sql`
    select ${projectColumns(ctx)} from ${projectTables}
     where p.id = any(${ids}::bigint[]) and ${visibleProjectsCondition(ctx)}`);
  if (found.length === 0) return;
  await loadFacts(ctx, found);
  const byId = new Map(found.map((upstream) => [upstream.id, upstream]));
  for (const project of projects) {
    const upstream = byId.get(project.forked_from_id ?? 0);
    if (upstream) project.forked_from = upstream;
  }
}
