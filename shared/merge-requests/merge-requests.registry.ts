import type { Domain } from '../core/domain.js';
import { mergeRequestsAuditOf } from './merge-requests.audit.js';
import { MergeRequest } from './merge-requests/merge-request.entity.js';
import { refreshMergeRequests } from './merge-request-versions/merge-request-version.jobs.js';
import { mergeRequestsSubscribers } from './merge-requests.subscribers.js';
import { MergeRequestVersion } from './merge-requests/merge-request-version.entity.js';

export const mergeRequestsDomain: Domain = {
  name: 'merge-requests',
  entities: [MergeRequest, MergeRequestVersion],
  jobKinds: [refreshMergeRequests],
  subscribers: mergeRequestsSubscribers,
  auditOf: mergeRequestsAuditOf,
};
