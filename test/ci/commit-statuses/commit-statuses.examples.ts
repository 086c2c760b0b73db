import type { AreaExamples } from '../../core/area-examples.js';
import { WORK } from '../../core/world.js';

export default {
  records: {
    '/projects/:id/statuses/:sha': (world) => world.sha(),
  },
  requests: {
    'POST /projects/:id/statuses/:sha': { params: { ref: () => WORK } },
  },
} satisfies AreaExamples;
