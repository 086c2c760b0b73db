import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Milestone } from '../../planning/milestones/milestone.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { ReferenceBase } from '../../planning/issues/issue-references.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';

/** Parameters of a requested merge, now or once the pipeline succeeds. */
export interface MergeParams {
  readonly merge_commit_message?: string;
  readonly squash_commit_message?: string;
  readonly squash?: boolean;
  readonly should_remove_source_branch?: boolean;
  /** The head that the caller saw at the time of the request. */
  readonly sha?: string;
}

/** A proposal to merge the commits of a branch, here or in a fork, into another one. */
export const MergeRequest = defineEntity({
  name: 'MergeRequest',
  tableName: 'merge_requests',
  properties: {
    id: id(),
    /** The project that it is to be merged in. */
    project_id: relation(Project),
    /** Its number in that project; never reused. */
    iid: p.integer(),
    /** Null once the fork is gone. */
    source_project_id: relation(Project).nullable(),
    source_branch: p.string(),
    target_branch: p.string(),
    title: p.string(),
    description: p.string().nullable(),
    /** `opened`, `closed`, `merged`, or `locked` while it is being merged. */
    state: p.string(),
    /** By its title: `Draft: …`. */
    draft: p.boolean(),
    discussion_locked: p.boolean().nullable(),
    author_id: relation(User).nullable(),
    updated_by_id: relation(User).nullable(),
    closed_by_id: relation(User).nullable(),
    /** The user who merged it, or who requested auto-merge. */
    merge_user_id: relation(User).nullable(),
    milestone_id: relation(Milestone).nullable(),
    /** The shas of the newest version; null until there is one. */
    head_sha: p.string().nullable(),
    base_sha: p.string().nullable(),
    start_sha: p.string().nullable(),
    merge_commit_sha: p.string().nullable(),
    squash_commit_sha: p.string().nullable(),
    /** The commit of the target branch that holds the changes. */
    merged_commit_sha: p.string().nullable(),
    /** Written before the target branch moves, so that an interrupted merge can be detected. */
    in_progress_merge_commit_sha: p.string().nullable(),
    /** `unchecked`, `checking`, `can_be_merged`, `cannot_be_merged` or `cannot_be_merged_recheck`. */
    merge_status: p.string(),
    merge_error: p.string().nullable(),
    squash: p.boolean(),
    /** The author's choice for the source branch. */
    force_remove_source_branch: p.boolean().nullable(),
    /** The merging user's choice for it. */
    should_remove_source_branch: p.boolean().nullable(),
    allow_collaboration: p.boolean(),
    approvals_before_merge: p.integer().nullable(),
    auto_merge_enabled: p.boolean(),
    auto_merge_strategy: p.string().nullable(),
    merge_params: p.json().$type<MergeParams>().nullable(),
    /** While a job rebases it. */
    rebase_started_at: timestamp().nullable(),
    /** While it is being merged. */
    locked_at: timestamp().nullable(),
    /** Seconds. */
    time_estimate: p.integer(),
    /** Seconds. */
    total_time_spent: p.integer(),
    user_notes_count: p.integer(),
    upvotes: p.integer(),
    downvotes: p.integer(),
    /** Items of task lists in the description. */
    task_count: p.integer(),
    completed_task_count: p.integer(),
    imported_from: p.string(),
    /** When its first version was made. */
    prepared_at: timestamp().nullable(),
    merged_at: timestamp().nullable(),
    closed_at: timestamp().nullable(),
    last_edited_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type MergeRequest = InferEntity<typeof MergeRequest>;

/** A merge request as lists hold it, of whatever project. */
export interface ListedMergeRequest extends MergeRequest {
  author: UserSummary | null;
  closed_by: UserSummary | null;
  merge_user: UserSummary | null;
  /** Of the project that it is to be merged in. */
  full_path: string;
  /** The context of the request; omitted if there is none. */
  reference_base?: ReferenceBase;
  /** The sort key, in lists that are not ordered by a column of the record. */
  ordering?: string | number;
  /** And after that. */
  label_priority?: number;
}

/** A merge request with its target project, as needed for permission checks. */
export interface MergeRequestRecord extends ListedMergeRequest {
  project: ProjectRecord;
}
