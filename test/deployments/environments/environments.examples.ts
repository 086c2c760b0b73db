import type { AreaExamples } from '../../core/area-examples.js';

/** Of the time of the walks, with which all began. */
const LONG_AGO = new Date(Date.now() - 30 * 86_400_000).toISOString();

export default {
  records: {
    '/projects/:id/environments/:environment_id': async (world, { id }) =>
      (await world.post(`/projects/${id}/environments`, { name: `env-${world.unique()}` })).id,
  },
  requests: {
    'POST /projects/:id/environments': { params: { name: (world) => `env-${world.unique()}` } },
    'PUT /projects/:id/environments/:environment_id': { params: { description: () => 'words' } },
    'DELETE /projects/:id/environments/:environment_id': {
      ready: (world, { id, environment_id: environment }) =>
        world.post(`/projects/${id}/environments/${environment}/stop`, {}),
    },
    'POST /projects/:id/environments/stop_stale': { params: { before: () => LONG_AGO } },
  },
} satisfies AreaExamples;
