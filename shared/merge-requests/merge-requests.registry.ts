import type { Domain } from '../core/domain.js';
import { mergeRequestsAuditOf } from './merge-requests.audit.js';
import { MergeRequest } from './merge-requests/merge-request.entity.js';
import { MergeRequestVersion } from './merge-requests/merge-request-version.entity.js';

export const mergeRequestsDomain: Domain = {
  name: 'merge-requests',
  entities: [MergeRequest, MergeRequestVersion],
  jobKinds: [],
  subscribers: [],
  auditOf: mergeRequestsAuditOf,
};
