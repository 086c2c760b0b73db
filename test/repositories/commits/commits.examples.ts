import type { AreaExamples } from '../../core/area-examples.js';

export default {
  records: {
    '/projects/:id/repository/commits/:sha': (world) => world.sha(),
  },
  requests: {
    // Commits are not counted (delivery-resources.md section 6).
    'GET /projects/:id/repository/commits': { uncounted: true },
    'POST /projects/:id/repository/commits': {
      params: { actions: ({ unique }) => [{ action: 'create', file_path: `new-${unique()}.txt`, content: 'a' }] },
    },
  },
} satisfies AreaExamples;
