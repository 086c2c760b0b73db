import type { ApiDomain } from '../core/routes.js';
import * as areas from './packages.areas.js';

export const packagesApi: ApiDomain = { areas };
