import type { AreaExamples } from '../../core/area-examples.js';

export default {
  records: {
    '/projects/:id/cluster_agents/:agent_id': async (world, { id }) =>
      (await world.post(`/projects/${id}/cluster_agents`, { name: `agent-${world.unique()}` })).id,
  },
  requests: {
    'POST /projects/:id/cluster_agents': { params: { name: (world) => `agent-${world.unique()}` } },
  },
} satisfies AreaExamples;
