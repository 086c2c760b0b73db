import issues from './issues/issues.rest.js';
import type { ApiDomain } from '../core/domain.js';

export const planningApi: ApiDomain = {
  areas: { issues },
  resolvers: async () => (await import('./planning.resolvers.js')).planningResolvers,
};
