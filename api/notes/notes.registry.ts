import type { ApiDomain } from '../core/domain.js';
import * as areas from './notes.areas.js';

export const notesApi: ApiDomain = {
  areas,
  resolvers: async () => (await import('./notes.resolvers.js')).notesResolvers,
};
