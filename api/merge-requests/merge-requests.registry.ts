import type { ApiDomain } from '../core/routes.js';
import * as areas from './merge-requests.areas.js';

export const mergeRequestsApi: ApiDomain = {
  areas,
};
