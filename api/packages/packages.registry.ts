import type { ApiDomain } from '../core/domain.js';
import packages from './packages/packages.rest.js';

export const packagesApi: ApiDomain = { areas: { packages } };
