import { defineEntity, id, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Epic } from '../epics/epic.entity.js';
import type { EpicRecord } from '../epics/epic.entity.js';
import { Issue } from './issue.entity.js';
import type { ListedIssue } from './issue.entity.js';

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

/** An issue as an epic lists it. */
export interface ListedEpicIssue extends ListedIssue {
  epic_issue_id: number;
  /** Its position among the issues of the epic. */
  epic_position: number;
}

/** That an issue is in an epic, with both. */
export interface EpicIssueRecord {
  readonly id: number;
  readonly relative_position: number;
  readonly epic: EpicRecord;
  readonly issue: ListedIssue;
}
