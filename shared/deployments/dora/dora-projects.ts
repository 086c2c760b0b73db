import { expressionBuilder } from 'kysely';
import type { ContainerRef } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import type { Aliased } from '../../core/database/tables.js';
import { onProjects } from '../../tenancy/projects/project.finder.js';
import { filteredProjects } from '../../tenancy/project-details/project.filters.js';
import type { ProjectList } from '../../tenancy/project-details/project.filters.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { isProjectOf, rowsBetween } from './dora-points.js';

/** The projects of a group and its subgroups, or the project itself, with DORA data in a range of days, both included. */
export function projectsWithDora(
  ctx: Context,
  container: ContainerRef,
  range: { start: string; end: string },
): ProjectList {
  const rows = expressionBuilder<Aliased<DeploymentsDatabase, { p: 'projects' }>, 'p'>()
    .selectFrom('dora_daily_metrics as m')
    .select(onProjects.lit(1).as('one'))
    .whereRef('m.project_id', '=', 'p.id')
    .where(rowsBetween(range.start, range.end));
  const where = [isProjectOf(container, onProjects.ref('p.id')), onProjects.exists(rows)];
  return filteredProjects(ctx, { order_by: 'id', sort: 'asc' }, { where });
}
