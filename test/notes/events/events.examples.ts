import type { AreaExamples } from '../../core/area-examples.js';

export default {
  requests: {
    'GET /events': { refusedToNobody: 401 },
  },
} satisfies AreaExamples;
