import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { NamedProject } from '../../tenancy/tenancy.events.js';
import type { Deployment } from '../deployments/deployment.entity.js';
import type { Environment } from '../environments/environment.entity.js';

/** A deployment with where it went. */
export interface DeployedTo extends Deployment {
  environment: Environment;
  project: NamedProject;
}

/**
 * Links a deployment, as long as it is a success, with the merged ones of its project that a condition on `m` finds. The
 * links are an environment's: whatever it has from before stays with the first deployment that brought it.
 */
export async function storeLinks(ctx: Context, deployed: DeployedTo, merged: Fragment): Promise<void> {
  const { id, project_id: projectId, environment_id: environmentId, environment, project } = deployed;
  const linked = await ctx.query<{ merge_request_id: number }>(sql`
    insert into deployment_merge_requests as l (deployment_id, project_id, environment_id, merge_request_id, linked_at)
    select d.id, d.project_id, d.environment_id, m.id, ${ctx.clock.now()}
      from merge_requests m
      join deployments d on d.id = ${id} and d.environment_id = ${environmentId} and d.status = 'success'
     where m.project_id = ${projectId} and m.state = 'merged' and ${merged}
     order by m.id
    on conflict do nothing returning l.merge_request_id as "merge_request_id"`);
  if (linked.length === 0) return;
  const ids = linked.map(({ merge_request_id: one }) => one);
  ctx.record({ type: 'deployment.linked', deployment: deployed, environment, project, merge_request_ids: ids });
}
