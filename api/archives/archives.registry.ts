import type { ApiDomain } from '../core/domain.js';
import exports from './exports/exports.rest.js';
import groupImports from './group-imports/group-imports.rest.js';

export const archivesApi: ApiDomain = {
  areas: { exports, groupImports },
};
