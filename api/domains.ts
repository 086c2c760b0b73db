import type { ApiDomain } from './core/domain.js';
import type { Route } from './core/routes.js';
import { instanceDomain } from './instance/instance.registry.js';
import { tenancyDomain } from './tenancy/tenancy.registry.js';
import { authDomain } from './auth/auth.registry.js';
import { repositoriesDomain } from './repositories/repositories.registry.js';
import { ciDomain } from './ci/ci.registry.js';

/** The one list of domains that the API serves, from the ground up. */
export const apiDomains: readonly ApiDomain[] = [
  instanceDomain,
  tenancyDomain,
  authDomain,
  repositoriesDomain,
  ciDomain,
];

export const allRoutes: Route[] = apiDomains
  .flatMap(({ areas }) => Object.entries(areas))
  .flatMap(([area, routes]) => routes.map((route) => ({ ...route, area })));
