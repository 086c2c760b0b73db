import type { ApiDomain } from '../core/routes.js';
import * as areas from './planning.areas.js';

export const planningApi: ApiDomain = {
  areas,
};
