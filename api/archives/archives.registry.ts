import type { ApiDomain } from '../core/domain.js';
import * as areas from './archives.areas.js';

export const archivesApi: ApiDomain = {
  areas,
};
