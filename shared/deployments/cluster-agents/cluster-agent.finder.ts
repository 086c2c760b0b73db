import type { Context } from '../../core/context.js';
import { Forbidden, NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import { aboutProject } from '../../core/job-context.js';
import { byId } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { empty, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { project } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { ClusterAgent } from './cluster-agent.entity.js';
import { clusterAgentPolicy } from './cluster-agent.policy.js';
import type { ClusterAgentRecord } from './cluster-agent.record.js';

/** A project's agents in the order in which they were registered; filters on `a` are added to `where`. */
export function clusterAgentsOf(found: ProjectRecord, where: readonly Fragment[] = []): TextList<ClusterAgentRecord> {
  return {
    select: textColumns(ClusterAgent, 'a'),
    from: sql`cluster_agents a`,
    where: [sql`a.project_id = ${found.id}`, ...where],
    order: [byId('a', 'asc')],
    read: (row) => ({ ...row, project: found }),
  };
}

/** An agent of a project, whoever asks, or null; locked in a transaction. */
export async function findAgentOf(ctx: Context, found: ProjectRecord, id: number): Promise<ClusterAgentRecord | null> {
  const row = await ctx.queryOne<ClusterAgent>(sql`
    select ${textColumns(ClusterAgent, 'a')} from cluster_agents a where a.project_id = ${found.id} and a.id = ${id}
    ${ctx.inTransaction ? sql`for no key update of a` : empty}`);
  return row && { ...row, project: found };
}

/** The subject of `/projects/:id/cluster_agents/:agent_id`: 403 where the caller reads none, then 404. */
export const clusterAgent: Subject<ClusterAgentRecord> = {
  noun: 'Cluster agent',
  params: { ...project.params, agent_id: integer().describe('Id of the agent.') },
  async find(ctx, input: { id: string; agent_id: number }) {
    const found = await project.find(ctx, input);
    if (!clusterAgentPolicy.read_cluster_agent(ctx.caller, found)) throw new Forbidden();
    const agent = await findAgentOf(ctx, found, input.agent_id);
    if (!agent) throw new NotFound();
    return agent;
  },
  about: (record) => aboutProject(record.project),
};
