import type { ApiDomain } from '../core/routes.js';
import * as areas from './archives.areas.js';

export const archivesApi: ApiDomain = {
  areas,
};
