import type { AreaExamples } from '../../core/area-examples.js';

export default {
  requests: {
    'DELETE /groups/:id/export': {
      ready: (world, { id }) => world.post(`/groups/${id}/export`, {}),
      notAudited: 'asking for an export is told; what was never read leaves nothing to tell',
      notTold: 'nothing follows from it',
    },
    'GET /groups/:id/export/download': { ownForm: 'a file' },
  },
} satisfies AreaExamples;
