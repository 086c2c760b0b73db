import type { AreaExamples } from '../../core/area-examples.js';
import { WORK } from '../../core/world.js';
import type { World } from '../../core/world.js';

const given = async (world: World, status: string) => ({
  environment: `env-${world.unique()}`,
  ref: WORK,
  sha: await world.sha(),
  tag: false,
  status,
});

export default {
  records: {
    '/projects/:id/deployments/:deployment_id': async (world, { id }) =>
      (await world.post(`/projects/${id}/deployments`, await given(world, 'failed'))).id,
  },
  requests: {
    'POST /projects/:id/deployments': {
      params: { environment: (world) => `env-${world.unique()}`, ref: () => WORK, sha: (world) => world.sha() },
    },
    'PUT /projects/:id/deployments/:deployment_id': { params: { status: () => 'success' } },
  },
} satisfies AreaExamples;
