import type { ApiDomain } from '../core/domain.js';
import containerRegistry from './container-registry/container-registry.rest.js';
import packages from './packages/packages.rest.js';

export const packagesApi: ApiDomain = { areas: { containerRegistry, packages } };
