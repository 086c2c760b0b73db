import { load } from '../../core/context/loads.js';
import { anyOf } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { extendSerializer, out, visibleIf } from '../../core/operations/serializer.js';
import { fullProject, projectWithPermissions } from '../../tenancy/project-details/project.serializer.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { projectIssuePolicy } from './issue.policy.js';

interface OpenIssues {
  project_id: number;
  opened: number;
  opened_confidential: number;
}

const countOpenIssues = prepareQuery<PlanningDatabase, { ids: readonly number[] }, OpenIssues>((db, { ids }) =>
  db
    .selectFrom('project_issue_counts as c')
    .where('c.project_id', '=', anyOf(ids, 'bigint'))
    .groupBy('c.project_id')
    .select((eb) => [
      'c.project_id',
      eb.fn.sum<number>('c.opened').as('opened'),
      eb.fn.sum<number>('c.opened_confidential').as('opened_confidential'),
    ]),
);

/** Open issues of projects: all for Planners and above, those that are not confidential for others, as the public API. */
const openIssueCounts = load(
  (project: Readonly<ProjectRecord>) => project.id,
  async (ctx, projects): Promise<Map<number, number>> => {
    const rows = await countOpenIssues(ctx, { ids: projects.map(({ id }) => id) });
    const countsById = new Map(rows.map((row) => [row.project_id, row]));
    return new Map(
      projects.map((project) => {
        const { opened, opened_confidential: hidden } = countsById.get(project.id) ?? {
          opened: 0,
          opened_confidential: 0,
        };
        return [
          project.id,
          projectIssuePolicy.read_confidential_issues(ctx.caller, project) ? opened : opened - hidden,
        ];
      }),
    );
  },
);

/** Adds the number of open issues to projects, visible to callers who can see issues (projects.md section 4). */
export function addOpenIssuesToProjects(): void {
  const fields = visibleIf<ProjectRecord>((project, ctx) => projectIssuePolicy.read_issue(ctx.caller, project), {
    open_issues_count: out.integer((project, ctx) => openIssueCounts.of(project, ctx) ?? 0),
  });
  for (const serializer of [fullProject, projectWithPermissions])
    extendSerializer(serializer, fields, [openIssueCounts]);
}
