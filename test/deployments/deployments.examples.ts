import type { AreaExamples } from '../core/area-examples.js';
import { Delivery } from './dora/dora-steps.js';

const clusterAgents = {
  records: {
    '/projects/:id/cluster_agents/:agent_id': async (sandbox, { id }) =>
      (await sandbox.post(`/projects/${id}/cluster_agents`, { name: `agent-${sandbox.unique()}` })).id,
  },
  requests: {
    'POST /projects/:id/cluster_agents': { params: { name: (sandbox) => `agent-${sandbox.unique()}` } },
  },
} satisfies AreaExamples;

const metric = () => 'deployment_frequency';
const measured = { params: { metric }, ownForm: 'JSON or a table, of 181 points at most' };
const explained = { params: { metric, date: () => '2030-01-01' } };

const dora = {
  needs: [{ path: /\/dora\/(metrics|explain)$/, plan: 'ultimate' }],
  requests: {
    'GET /projects/:id/dora/metrics': measured,
    'GET /groups/:id/dora/metrics': measured,
    'GET /projects/:id/dora/explain': explained,
    'GET /groups/:id/dora/explain': explained,
  },
  graphql: {
    added: ['Project.dora'],
    async fill({ app, project }) {
      const delivery = new Delivery(app);
      const environment = await delivery.environment(project);
      await delivery.row(environment, app.clock.now().toISOString().slice(0, 10), { frequency: 1 });
    },
  },
} satisfies AreaExamples;

export default [clusterAgents, dora] satisfies AreaExamples[];
