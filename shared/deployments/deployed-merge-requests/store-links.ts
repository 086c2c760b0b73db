import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { ProjectSummary } from '../../tenancy/tenancy.events.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import type { Deployment } from '../deployments/deployment.entity.js';
import type { Environment } from '../environments/environment.entity.js';

type OfMerged = Aliased<DeploymentsDatabase, { m: 'merge_requests' }>;

/** Builds conditions on merge requests `m`. */
export const onMerged = expressionBuilder<OfMerged, 'm'>();

/** A deployment with its environment and project. */
export interface DeployedTo extends Deployment {
  environment: Environment;
  project: ProjectSummary;
}

/**
 * Links a deployment, if it is still successful, with those merged requests of its project that match a condition on
 * `m`. Links are unique per environment: a merge request stays linked to the first deployment that delivered it.
 */
export async function storeLinks(ctx: Context, deployed: DeployedTo, merged: Expression<SqlBool>): Promise<void> {
  const { id, project_id: projectId, environment_id: environmentId, environment, project } = deployed;
  const linked = await ctx.em
    .getKysely<DeploymentsDatabase>()
    .insertInto('deployment_merge_requests')
    .columns(['deployment_id', 'project_id', 'environment_id', 'merge_request_id', 'linked_at'])
    .expression((eb) =>
      eb
        .selectFrom('merge_requests as m')
        .innerJoin('deployments as d', (join) =>
          join.on('d.id', '=', id).on('d.environment_id', '=', environmentId).on('d.status', '=', constant('success')),
        )
        .select([
          'd.id as deployment_id',
          'd.project_id',
          'd.environment_id',
          'm.id as merge_request_id',
          eb.cast<Date>(eb.val(ctx.clock.now()), 'timestamptz').as('linked_at'),
        ])
        .where('m.project_id', '=', projectId)
        .where('m.state', '=', constant('merged'))
        .where(merged)
        .orderBy('m.id'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('merge_request_id')
    .execute();
  if (linked.length === 0) return;
  const ids = linked.map(({ merge_request_id: one }) => one);
  ctx.record({ type: 'deployment.linked', deployment: deployed, environment, project, merge_request_ids: ids });
}
