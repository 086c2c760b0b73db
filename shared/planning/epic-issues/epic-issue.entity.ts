import { defineEntity, id, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** That an issue is planned under an epic. */
export const EpicIssue = defineEntity({
  name: 'EpicIssue',
  tableName: 'epic_issues',
  properties: {
    id: id(),
    project_id: reference(),
    epic_id: reference(),
    issue_id: reference(),
    relative_position: p.bigint('number').nullable(),
  },
});
export type EpicIssue = InferEntity<typeof EpicIssue>;
