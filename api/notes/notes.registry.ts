import type { ApiDomain } from '../core/domain.js';

export const notesApi: ApiDomain = {
  areas: {},
  resolvers: async () => [],
};
