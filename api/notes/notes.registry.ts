import type { ApiDomain } from '../core/routes.js';
import * as areas from './notes.areas.js';

export const notesApi: ApiDomain = {
  areas,
};
