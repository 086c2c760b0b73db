import type { ApiDomain } from '../core/domain.js';
import * as areas from './repositories.areas.js';
import projectLifecycle from './project-lifecycle/project-lifecycle.rest.js';
import projectSettings from './project-lifecycle/project-settings.rest.js';

export const repositoriesApi: ApiDomain = {
  areas: { ...areas, projects: [...projectSettings, ...projectLifecycle] },
  resolvers: async () => (await import('./repositories.resolvers.js')).repositoriesResolvers,
};
