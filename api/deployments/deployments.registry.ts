import type { ApiDomain } from '../core/domain.js';

export const deploymentsApi: ApiDomain = {
  areas: {},
  resolvers: async () => [],
};
