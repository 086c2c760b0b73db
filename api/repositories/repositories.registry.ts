import type { ApiDomain } from '../core/routes.js';
import * as areas from './repositories.areas.js';
import { projectLifecycleRoutes, projectSettingRoutes } from './repositories.rest.js';

export const repositoriesApi: ApiDomain = {
  areas: { ...areas, projects: [...projectSettingRoutes, ...projectLifecycleRoutes] },
};
