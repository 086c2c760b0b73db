import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { Issue } from './issue.entity.js';
import type { SeenFrom } from './issue-references.js';

/** An issue as lists hold it, of whatever project. */
export interface ListedIssue extends Issue {
  author: UserSummary | null;
  closed_by: UserSummary | null;
  /** Of its project. */
  full_path: string;
  /** Where it was asked for; nowhere in particular where left out. */
  seen_from?: SeenFrom;
  /** What it was ordered by, in lists that are ordered by something beside the record. */
  ordering?: string | number;
  /** And after that. */
  label_priority?: number;
}

/** An issue with its project, and the caller as its assignee: what its policy asks. */
export interface IssueRecord extends ListedIssue {
  project: ProjectRecord;
  /** The caller's own id where they are one of the assignees. */
  assigned_id: number | null;
}
