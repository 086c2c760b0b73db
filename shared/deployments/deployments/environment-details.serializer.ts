import { anyOf } from '../../core/database/expressions.js';
import type { Load } from '../../core/context/loads.js';
import { load } from '../../core/context/loads.js';
import { readAll } from '../../core/database/list.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { findClusterAgents, onAgents } from '../cluster-agents/cluster-agent.finder.js';
import { clusterAgentPolicy } from '../cluster-agents/cluster-agent.policy.js';
import type { ClusterAgentRecord } from '../cluster-agents/cluster-agent.entity.js';
import { clusterAgentSerializer } from '../cluster-agents/cluster-agent.serializer.js';
import type { EnvironmentRecord } from '../environments/environment.entity.js';
import { environmentFields, environmentHtml } from '../environments/environment.serializer.js';
import { deploymentOfEnvironment } from './deployment.serializer.js';
import { lastDeployments } from './last-deployment.js';

/** The agents of a page of environments of one project, for those who read agents. */
const agents = load(
  (environment: Readonly<EnvironmentRecord>) => environment.cluster_agent_id ?? 0,
  async (ctx, environments): Promise<Map<number, ClusterAgentRecord>> => {
    const ids = environments.flatMap(({ cluster_agent_id: id }) => (id ? [id] : []));
    const found = environments[0]?.project;
    if (ids.length === 0 || !found || !clusterAgentPolicy.read_cluster_agent(ctx.caller, found)) return new Map();
    const rows = await readAll(ctx, findClusterAgents(found, [onAgents('a.id', '=', anyOf(ids, 'bigint'))]));
    return new Map(rows.map((row) => [row.id, row]));
  },
);

/** The last deployment, with everything that a deployment returns alongside it. */
const lastWithJob: Load<EnvironmentRecord> = {
  of: () => undefined,
  put: () => undefined,
  async fill(ctx, environments) {
    await lastDeployments.fill(ctx, environments);
    const last = environments.flatMap((one) => lastDeployments.of(one, ctx) ?? []);
    await deploymentOfEnvironment.load(ctx, last);
  },
};

/** One environment with its last deployment and its agent (delivery-resources.md section 1). */
export const environmentDetails = serializer<EnvironmentRecord>(
  'EnvironmentDetails',
  {
    ...environmentFields,
    last_deployment: out.nullableRecord(
      deploymentOfEnvironment,
      (environment, ctx) => lastDeployments.of(environment, ctx) ?? null,
    ),
    cluster_agent: out.nullableRecord(
      clusterAgentSerializer,
      (environment, ctx) => agents.of(environment, ctx) ?? null,
    ),
  },
  { loads: [environmentHtml, lastWithJob, agents] },
);
