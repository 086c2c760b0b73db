import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import type { Aliased } from '../../core/database/tables.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { aboutProject } from '../../core/values/job-context.js';
import { byId, narrow } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { ClusterAgent } from './cluster-agent.entity.js';
import type { ClusterAgentRecord } from './cluster-agent.entity.js';
import { clusterAgentPolicy } from './cluster-agent.policy.js';

type OfAgents = Aliased<DeploymentsDatabase, { a: 'cluster_agents' }>;

/** Builds conditions on agents `a`. */
export const onAgents = expressionBuilder<OfAgents, 'a'>();

/** A project's agents in the order in which they were registered; filters on `a` are added to `where`. */
export function findClusterAgents(
  found: ProjectRecord,
  where: readonly Expression<SqlBool>[] = [],
): List<ClusterAgentRecord> {
  const list: List<ClusterAgentRecord> = {
    matching: onAgents.selectFrom('cluster_agents as a').where('a.project_id', '=', found.id),
    select: (query: SelectQueryBuilder<OfAgents, 'a', object>) => query.select(columns(ClusterAgent, 'a')),
    order: [byId('a', 'asc')],
    read: (row) => ({ ...row, project: found }),
  };
  return narrow(list, where);
}

/** An agent of a project without permission checks, or null; locked within a transaction. */
export async function findAgentOf(ctx: Context, found: ProjectRecord, id: number): Promise<ClusterAgentRecord | null> {
  const row = await ctx.em
    .getKysely<DeploymentsDatabase>()
    .selectFrom('cluster_agents as a')
    .select(columns(ClusterAgent, 'a'))
    .where('a.project_id', '=', found.id)
    .where('a.id', '=', id)
    .$if(ctx.inTransaction, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  return row ? { ...row, project: found } : null;
}

/** The resource of `/projects/:id/cluster_agents/:agent_id`: 403 where the caller reads none, then 404. */
export const clusterAgent: Resource<ClusterAgentRecord> = {
  noun: 'Cluster agent',
  params: { ...project.params, agent_id: integer().describe('ID of the cluster agent.') },
  async find(ctx, input: { id: string; agent_id: number }) {
    const found = await project.find(ctx, input);
    if (!clusterAgentPolicy.read_cluster_agent(ctx.caller, found)) throw new Forbidden();
    const agent = await findAgentOf(ctx, found, input.agent_id);
    if (!agent) throw new NotFound();
    return agent;
  },
  about: (record) => aboutProject(record.project),
};
