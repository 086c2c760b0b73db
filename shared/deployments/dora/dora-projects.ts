import type { ContainerRef } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { filteredProjects } from '../../tenancy/project-lists/project.filters.js';
import type { ProjectList } from '../../tenancy/project-lists/project.filters.js';
import { projectsOf, rowsBetween } from './dora-points.js';

/** The projects of a group and its subgroups, or the project itself, with DORA data in a range of days, both included. */
export function projectsWithDora(
  ctx: Context,
  container: ContainerRef,
  range: { start: string; end: string },
): ProjectList {
  const where = [
    sql`p.id = any(${projectsOf(container)})`,
    sql`exists (select 1 from dora_daily_metrics m where m.project_id = p.id and ${rowsBetween(range.start, range.end)})`,
  ];
  return filteredProjects(ctx, { order_by: 'id', sort: 'asc' }, { where });
}
