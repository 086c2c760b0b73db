import type { ApiDomain } from '../core/domain.js';
import * as areas from './auth.areas.js';

export const authApi: ApiDomain = {
  areas,
};
