import type { AreaExamples } from '../../core/area-examples.js';
import { WORK } from '../../core/world.js';

export default {
  requests: {
    'GET /projects/:id/repository/compare': { params: { from: () => 'main', to: () => WORK } },
    'GET /projects/:id/repository/merge_base': { params: { refs: () => ['main', WORK] } },
  },
} satisfies AreaExamples;
