import { defineEntity, id, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Epic } from '../epics/epic.entity.js';
import { Issue } from './issue.entity.js';

/** That an issue is planned under an epic. */
export const EpicIssue = defineEntity({
  name: 'EpicIssue',
  tableName: 'epic_issues',
  properties: {
    id: id(),
    project_id: reference(),
    epic_id: relation(Epic),
    issue_id: relation(Issue),
    relative_position: p.bigint('number').nullable(),
  },
});
export type EpicIssue = InferEntity<typeof EpicIssue>;
