import type { ApiDomain } from '../core/routes.js';
import * as areas from './deployments.areas.js';

export const deploymentsApi: ApiDomain = {
  areas,
};
