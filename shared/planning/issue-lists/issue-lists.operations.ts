import { can, operation } from '../../core/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { issuesOfProject } from '../issues/issue.finder.js';
import { projectIssuePolicy } from '../issues/issue.policy.js';

/** List the issues of a project. */
export const listProjectIssues = operation({
  name: 'listProjectIssues',
  summary: 'List the issues of a project',
  subject: project,
  can: can(projectIssuePolicy, 'read_issue'),
  gate: 'open',
  kind: 'read',
  statements: 8,
  run: (ctx, found) => Promise.resolve(issuesOfProject(ctx, found)),
});
