import type { ApiDomain } from '../core/domain.js';

export const archivesApi: ApiDomain = {
  areas: {},
};
