import { defineEntity, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Issue } from './issue.entity.js';

/** With what an issue was made. */
export const IssueUserAgent = defineEntity({
  name: 'IssueUserAgent',
  tableName: 'issue_user_agents',
  properties: {
    issue_id: relation(Issue).primary(),
    project_id: reference(),
    user_agent: p.string(),
    ip_address: p.string(),
  },
});
export type IssueUserAgent = InferEntity<typeof IssueUserAgent>;
