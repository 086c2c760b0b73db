import type { ApiDomain, RestRoute } from './core/routes.js';
import { instanceApi } from './instance/instance.registry.js';
import { tenancyApi } from './tenancy/tenancy.registry.js';
import { authApi } from './auth/auth.registry.js';
import { repositoriesApi } from './repositories/repositories.registry.js';
import { ciApi } from './ci/ci.registry.js';
import { planningApi } from './planning/planning.registry.js';
import { mergeRequestsApi } from './merge-requests/merge-requests.registry.js';
import { notesApi } from './notes/notes.registry.js';
import { deploymentsApi } from './deployments/deployments.registry.js';
import { packagesApi } from './packages/packages.registry.js';
import { archivesApi } from './archives/archives.registry.js';

/** The one list of domains that the API serves, from the ground up. */
export const apiDomains: readonly ApiDomain[] = [
  instanceApi,
  tenancyApi,
  authApi,
  repositoriesApi,
  ciApi,
  planningApi,
  mergeRequestsApi,
  notesApi,
  deploymentsApi,
  packagesApi,
  archivesApi,
];

/** Every route with every path of it. */
export const boundRoutes: RestRoute[] = apiDomains
  .flatMap(({ areas }) => Object.entries(areas))
  .flatMap(([area, routes]) => routes.map((route) => ({ ...route, area })));

/** Each once, by the path that its description names. */
export const allRoutes: RestRoute[] = boundRoutes.filter(({ options }) => !options.alias);
