import type { ApiDomain } from '../core/routes.js';
import * as areas from './instance.areas.js';

export const instanceApi: ApiDomain = {
  areas,
};
