import type { ApiDomain } from '../core/domain.js';

export const planningApi: ApiDomain = {
  areas: {},
  resolvers: async () => (await import('./planning.resolvers.js')).planningResolvers,
};
