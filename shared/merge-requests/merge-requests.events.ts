import type { IssuableChange } from '../planning/issuables/issuable-changes.js';
import type { ProjectSummary } from '../tenancy/tenancy.events.js';
import type { UserSummary } from '../tenancy/users/user.entity.js';
import type { MergeRequest } from './merge-requests/merge-request.entity.js';
import type { MergeRequestVersion } from './merge-requests/merge-request-version.entity.js';

/** A merge request with the project that it is to be merged in. @public */
export interface MergeRequestEvent {
  readonly merge_request: MergeRequest;
  readonly project: ProjectSummary;
}

/** One thing that changed about a merge request: what issues have as well, and what they do not. */
export type MergeRequestChange =
  | IssuableChange
  | {
      readonly attribute: 'reviewers';
      readonly added: readonly UserSummary[];
      readonly removed: readonly UserSummary[];
    }
  | { readonly attribute: 'target_branch'; readonly from: string; readonly to: string }
  | { readonly attribute: 'draft'; readonly to: boolean }
  | { readonly attribute: 'squash' | 'force_remove_source_branch' | 'allow_collaboration'; readonly to: boolean };

export interface MergeRequestsEvents {
  /** `changes` are the initial values other than title and description. */
  'merge_request.created': MergeRequestEvent & { readonly changes: readonly MergeRequestChange[] };
  /** `merge_request` in its current state. Merges are reported by a separate event. */
  'merge_request.changed': MergeRequestEvent & { readonly changes: readonly MergeRequestChange[] };
  /** Merged by the user who recorded it: by a merge here, or because its commits were pushed to the target branch. */
  'merge_request.merged': MergeRequestEvent;
  /** It is to be merged once its pipeline succeeds. */
  'merge_request.auto_merge_set': MergeRequestEvent;
  /** Auto-merge was disabled: a user canceled it, or its conditions changed. */
  'merge_request.auto_merge_canceled': MergeRequestEvent & {
    readonly reason: 'canceled' | 'pushed' | 'closed' | 'target_changed' | 'refused';
  };
  'merge_request.deleted': MergeRequestEvent;
  /** A push made another version. `added` are the new commits, the newest first, `added_count` how many there are. */
  'merge_request.pushed': MergeRequestEvent & {
    readonly version: MergeRequestVersion;
    readonly before: MergeRequestVersion | null;
    readonly added: readonly { readonly sha: string; readonly title: string }[];
    readonly added_count: number;
  };
  /** Whether these can be merged is not known any more: they are new, or one of their branches moved. */
  'merge_requests.unchecked': { readonly project_id: number; readonly ids: readonly number[] };
  /** Its branches conflict, which was not known before. */
  'merge_request.unmergeable': MergeRequestEvent;
  'merge_request.approved': MergeRequestEvent;
  'merge_request.unapproved': MergeRequestEvent;
  /** All approvals were removed at once. */
  'merge_request.approvals_reset': MergeRequestEvent;
}

declare module '../core/values/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends MergeRequestsEvents {}
}
