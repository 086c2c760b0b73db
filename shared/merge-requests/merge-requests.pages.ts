import type { PageChangesOf } from '../core/page-changes/publish-page-changes.js';
import type { LiveKinds } from '../tenancy/project-details/page-scope.js';
import { projectMergeRequestPolicy } from './merge-requests/merge-request.policy.js';
import type { MergeRequestEvent } from './merge-requests.events.js';

declare module '../core/page-changes/page-changes.js' {
  interface PageChangeKinds {
    /** Merge requests to a project. */
    merge_requests: true;
  }
}

/** Callers notified of changes to merge requests: those who can read them. */
export const mergeRequestsLiveKinds: LiveKinds = {
  merge_requests: { may: projectMergeRequestPolicy.read_merge_request },
};

const ofRequest = ({ project }: MergeRequestEvent) => ({ kind: 'merge_requests', project_id: project.id }) as const;

/** What of pages events change. */
export const mergeRequestsPageChanges: PageChangesOf = {
  'merge_request.created': ofRequest,
  'merge_request.changed': ofRequest,
  'merge_request.merged': ofRequest,
  'merge_request.auto_merge_set': ofRequest,
  'merge_request.auto_merge_canceled': ofRequest,
  'merge_request.deleted': ofRequest,
  'merge_request.pushed': ofRequest,
  'merge_requests.unchecked': ({ project_id }) => ({ kind: 'merge_requests', project_id }),
  'merge_request.approved': ofRequest,
  'merge_request.unapproved': ofRequest,
  'merge_request.approvals_reset': ofRequest,
};
