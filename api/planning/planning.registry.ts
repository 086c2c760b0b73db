import type { ApiDomain } from '../core/domain.js';
import issues from './issues/issues.rest.js';
import labels from './labels/labels.rest.js';
import milestones from './milestones/milestones.rest.js';

export const planningApi: ApiDomain = {
  areas: { issues, labels, milestones },
  resolvers: async () => (await import('./planning.resolvers.js')).planningResolvers,
};
