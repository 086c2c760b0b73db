import type { ApiDomain } from '../core/domain.js';
import * as areas from './tenancy.areas.js';
import projectLists from './projects/project-lists.rest.js';
import projectPeople from './projects/project-people.rest.js';
import projects from './projects/projects.rest.js';

export const tenancyApi: ApiDomain = {
  areas: { ...areas, projects: [...projects, ...projectLists, ...projectPeople] },
  resolvers: async () => (await import('./tenancy.resolvers.js')).tenancyResolvers,
};
