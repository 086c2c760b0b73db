/* Routes of this domain by area: one line per route file. */
export {
  approvalRoutes as approvals,
  mergeRequestRoutes as mergeRequests,
  mergingRoutes as merging,
} from './merge-requests.rest.js';
