import type { ApiDomain } from '../core/routes.js';
import * as areas from './tenancy.areas.js';
import projects, { projectListRoutes, projectPeopleRoutes } from './projects/projects.rest.js';

export const tenancyApi: ApiDomain = {
  areas: { ...areas, projects: [...projects, ...projectListRoutes, ...projectPeopleRoutes] },
};
