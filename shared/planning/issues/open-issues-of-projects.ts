import { extendShape, out, shownIf } from '../../core/operations/shape.js';
import { fullProject, projectWithPermissions } from '../../tenancy/project-details/project.shape.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { projectIssuePolicy } from './issue.policy.js';
import { openIssueCounts } from './open-issues-count.js';

/** Has a project tell how many of its issues are open, to those who may see issues (projects.md section 4). */
export function addOpenIssuesToProjects(): void {
  const fields = shownIf<ProjectRecord>((project, ctx) => projectIssuePolicy.read_issue(ctx.caller, project), {
    open_issues_count: out.integer((project, ctx) => openIssueCounts.of(project, ctx) ?? 0),
  });
  for (const shape of [fullProject, projectWithPermissions]) extendShape(shape, fields, [openIssueCounts]);
}
