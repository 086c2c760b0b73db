import type { ApiDomain } from '../core/domain.js';
import mergeRequests from './merge-requests/merge-requests.rest.js';

export const mergeRequestsApi: ApiDomain = {
  areas: { mergeRequests },
  resolvers: async () => [],
};
