import type { AreaExamples } from '../../core/area-examples.js';

export default {
  records: {
    '/personal_access_tokens/:id': async (world) => (await world.user()).token_id,
  },
  requests: {
    'DELETE /personal_access_tokens/self': { caller: (world) => world.user() },
    'POST /personal_access_tokens/self/rotate': { caller: (world) => world.user() },
  },
} satisfies AreaExamples;
