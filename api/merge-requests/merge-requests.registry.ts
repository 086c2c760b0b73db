import type { ApiDomain } from '../core/domain.js';

export const mergeRequestsApi: ApiDomain = {
  areas: {},
  resolvers: async () => [],
};
