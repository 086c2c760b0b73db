import type { EpicRecord } from '../epics/epic.record.js';
import type { ListedIssue } from './issue.record.js';

/** An issue as an epic lists it. */
export interface ListedEpicIssue extends ListedIssue {
  epic_issue_id: number;
  /** Where it stands among those of the epic. */
  epic_position: number;
}

/** That an issue is in an epic, with both. */
export interface EpicIssueRecord {
  readonly id: number;
  readonly relative_position: number;
  readonly epic: EpicRecord;
  readonly issue: ListedIssue;
}
