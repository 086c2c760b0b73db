import type { SeenFrom } from '../../planning/issues/issue-references.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { MergeRequest } from './merge-request.entity.js';

/** A merge request as lists hold it, of whatever project. */
export interface ListedMergeRequest extends MergeRequest {
  author: UserSummary | null;
  closed_by: UserSummary | null;
  merge_user: UserSummary | null;
  /** Of the project that it is to be merged in. */
  full_path: string;
  /** Where it was asked for; nowhere in particular where left out. */
  seen_from?: SeenFrom;
  /** What it was ordered by, in lists that are ordered by something beside the record. */
  ordering?: string | number;
  /** And after that. */
  label_priority?: number;
}

/** A merge request with the project that it is to be merged in: what its policy asks. */
export interface MergeRequestRecord extends ListedMergeRequest {
  project: ProjectRecord;
}
