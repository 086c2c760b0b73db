import { defineEntity, p, relation } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** A part of the count of open issues of a project; the count is the sum of all parts. */
export const ProjectIssueCount = defineEntity({
  name: 'ProjectIssueCount',
  tableName: 'project_issue_counts',
  properties: {
    project_id: relation(Project).primary(),
    opened: p.integer(),
    opened_confidential: p.integer(),
    part: p.smallint().primary().default(0),
  },
});
