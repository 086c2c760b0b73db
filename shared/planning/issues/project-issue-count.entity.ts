import { defineEntity, p, reference } from '../../core/database/entity.js';

/** A part of the count of open issues of a project; the count is the sum of all parts. */
export const ProjectIssueCount = defineEntity({
  name: 'ProjectIssueCount',
  tableName: 'project_issue_counts',
  properties: {
    project_id: reference().primary(),
    opened: p.integer(),
    opened_confidential: p.integer(),
    part: p.smallint().primary().default(0),
  },
});
