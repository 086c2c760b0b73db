import type { AreaExamples } from '../../core/area-examples.js';

export default {
  records: {
    '/namespaces/:id': async (world) => (await world.group()).id,
  },
} satisfies AreaExamples;
