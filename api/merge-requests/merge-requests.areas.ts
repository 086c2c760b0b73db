/* What the API serves of this domain, by area: a line for each file of routes. */
export {
  approvalRoutes as approvals,
  mergeRequestRoutes as mergeRequests,
  mergingRoutes as merging,
} from './merge-requests.rest.js';
