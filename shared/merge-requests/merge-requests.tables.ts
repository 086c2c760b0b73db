/* The tables of this domain: a line for each file of entities. */
export { MergeRequestVersionCommit, MergeRequestVersion } from './merge-requests/merge-request-version.entity.js';
export { MergeRequestAwardEmoji } from './merge-requests/merge-request-relations.entity.js';
export {
  MergeRequestLabelEvent,
  MergeRequestMilestoneEvent,
  MergeRequestStateEvent,
} from './merge-requests/merge-request-event.entity.js';
export {
  MergeRequestApproval,
  MergeRequestAssignee,
  MergeRequestClosingIssue,
  MergeRequestLabel,
  MergeRequestMention,
  MergeRequestReviewer,
  MergeRequestSubscription,
  MergeRequestTimelog,
  ProjectMergeRequestCount,
} from './merge-requests/merge-request-relations.entity.js';
export { MergeRequest } from './merge-requests/merge-request.entity.js';
