import { onUniqueViolation } from '../../core/values/database-errors.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { ClusterAgent } from './cluster-agent.entity.js';
import { clusterAgent, findClusterAgents } from './cluster-agent.finder.js';
import { clusterAgentPolicy } from './cluster-agent.policy.js';

/** A valid host name label. */
const NAME = /^[a-z\d]([-a-z\d]{0,61}[a-z\d])?$/;

const createNameError = (problem: string) => new Invalid(`400 Bad request - Name ${problem}`);

onUniqueViolation('cluster_agents_name', () => createNameError('has already been taken'));

/** List the agents that connect clusters to a project, in the order in which they were registered. */
export const listClusterAgents = operation({
  name: 'listClusterAgents',
  summary: 'List the cluster agents of a project',
  resource: project,
  can: can(clusterAgentPolicy, 'read_cluster_agent'),
  kind: 'read',
  statements: 5,
  run: (_ctx, found) => Promise.resolve(findClusterAgents(found)),
});

/** Read one agent. */
export const getClusterAgent = operation({
  name: 'getClusterAgent',
  summary: 'Read a cluster agent',
  resource: clusterAgent,
  kind: 'read',
  statements: 4,
  run: (_ctx, found) => Promise.resolve(found),
});

/** Register an agent: Maintainers and above. */
export const registerClusterAgent = operation({
  name: 'registerClusterAgent',
  summary: 'Register a cluster agent',
  resource: project,
  can: can(clusterAgentPolicy, 'admin_cluster_agent'),
  kind: 'write',
  params: {
    name: text()
      .describe('Name of the agent: at most 63 lower-case letters, digits and `-`.')
      .meta({ examples: ['agent-1'] }),
  },
  async run(ctx, found, { name }) {
    if (!NAME.test(name))
      throw createNameError("can contain only lowercase letters, digits, and '-', but cannot start or end with '-'");
    const now = ctx.clock.now();
    const row = {
      project_id: found.id,
      name,
      created_by_user_id: ctx.caller.id,
      created_at: now,
      updated_at: now,
    };
    const agent = { id: await ctx.em.insert(ClusterAgent, row), ...row };
    ctx.record({ type: 'cluster_agent.created', agent, project: found });
    return { ...agent, project: found };
  },
});

/** Delete an agent: Maintainers and above. Environments that name it lose it. */
export const deleteClusterAgent = operation({
  name: 'deleteClusterAgent',
  summary: 'Delete a cluster agent',
  resource: clusterAgent,
  can: {
    ability: 'admin_cluster_agent',
    rule: (caller, agent) => clusterAgentPolicy.admin_cluster_agent(caller, agent.project),
  },
  conditional: true,
  kind: 'write',
  async run(ctx, agent) {
    if ((await ctx.em.nativeDelete(ClusterAgent, { id: agent.id })) === 0) throw new NotFound();
    ctx.record({ type: 'cluster_agent.deleted', agent, project: agent.project });
  },
});
