import type { AreaExamples } from '../../core/area-examples.js';
import { ed25519 } from './keys.js';

export default {
  records: {
    '/projects/:id/deploy_keys/:key_id': async (world, { id }) =>
      (await world.post(`/projects/${id}/deploy_keys`, { title: 'Example', key: ed25519() })).id,
    '/deploy_keys/:key_id': async ({ app, people }) =>
      (await app.as(people.admin).post('/deploy_keys', { title: 'Example', key: ed25519() })).body.id,
  },
  requests: {
    'POST /deploy_keys': { params: { key: () => ed25519() } },
    'POST /projects/:id/deploy_keys': { params: { key: () => ed25519() } },
    'PUT /projects/:id/deploy_keys/:key_id': { params: { can_push: () => true }, edit: { can_push: true } },
    'POST /projects/:id/deploy_keys/:key_id/enable': {
      notAudited: 'The project that the example has the key in has it already.',
      notTold: 'The project that the example has the key in has it already.',
    },
  },
} satisfies AreaExamples;
