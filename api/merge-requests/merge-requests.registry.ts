import type { ApiDomain } from '../core/domain.js';
import approvals from './approvals/approvals.rest.js';
import mergeRequests from './merge-requests/merge-requests.rest.js';
import merging from './merging/merging.rest.js';

export const mergeRequestsApi: ApiDomain = {
  areas: { approvals, mergeRequests, merging },
  resolvers: async () => (await import('./merge-requests.resolvers.js')).mergeRequestsResolvers,
};
