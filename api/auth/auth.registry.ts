import type { ApiDomain } from '../core/routes.js';
import * as areas from './auth.areas.js';

export const authApi: ApiDomain = {
  areas,
};
