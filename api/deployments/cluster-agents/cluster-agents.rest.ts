import {
  deleteClusterAgent,
  getClusterAgent,
  listClusterAgents,
  registerClusterAgent,
} from '../../../shared/deployments/cluster-agents/cluster-agent.operations.js';
import { clusterAgentShape as present } from '../../../shared/deployments/cluster-agents/cluster-agent.shape.js';
import { del, get, post, routes } from '../../core/routes.js';

export default routes('/projects/:id/cluster_agents', [
  get('/', listClusterAgents, { present, paginate: 'offset' }),
  post('/', registerClusterAgent, { present, status: 201 }),
  get('/:agent_id', getClusterAgent, { present }),
  del('/:agent_id', deleteClusterAgent, { status: 204 }),
]);
