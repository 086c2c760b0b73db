import type { ApiDomain } from '../core/domain.js';
import * as areas from './packages.areas.js';

export const packagesApi: ApiDomain = { areas };
