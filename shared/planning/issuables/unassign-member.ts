import { expressionBuilder } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { ContainerSummary } from '../../tenancy/tenancy.events.js';
import { isAtOrBelow } from '../../tenancy/namespaces/below.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { issueType, mergeRequestType } from './issuable-type.js';

/** Tables that link users to their work in a project. The last one has all columns of the others that are used here. */
const TABLES = [
  issueType.tables.assignees,
  mergeRequestType.tables.assignees,
  'merge_request_reviewers' as 'issue_assignees',
];

/** Ids of a project, or of all projects in and below a group. */
function getProjects(container: ContainerSummary) {
  const projects = expressionBuilder<PlanningDatabase>().selectFrom('projects as p').select('p.id');
  if ('project' in container) return projects.where('p.id', '=', container.project.id);
  return projects.innerJoin('namespaces as n', 'n.id', 'p.namespace_id').where(isAtOrBelow('n', container.group.id));
}

/** Unassigns issues and merge requests from a user who left a project, or a group with all projects below it. */
export async function unassignMember(ctx: Context<Caller>, container: ContainerSummary, userId: number): Promise<void> {
  const projects = getProjects(container);
  for (const table of TABLES)
    await ctx.em
      .getKysely<PlanningDatabase>()
      .deleteFrom(`${table} as x`)
      .where('x.user_id', '=', userId)
      .where('x.project_id', 'in', projects)
      .execute();
}
