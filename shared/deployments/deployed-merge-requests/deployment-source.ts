import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { setDeploymentSource } from '../../merge-requests/merge-requests/deployment-source.js';
import type { DeploymentFilters } from '../../merge-requests/merge-requests/deployment-source.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';

const onMergeRequests = expressionBuilder<Aliased<DeploymentsDatabase, { i: 'merge_requests' }>, 'i'>();

/** Links `l` of merge requests with deployments `d` to environments `e`. */
const links = onMergeRequests
  .selectFrom('deployment_merge_requests as l')
  .innerJoin('deployments as d', 'd.id', 'l.deployment_id')
  .innerJoin('environments as e', 'e.id', 'l.environment_id');

/** That merge request `i` came with a deployment that ended then, to an environment of that name. */
function deployed({
  deployed_after: after,
  deployed_before: before,
  environment,
}: DeploymentFilters): Expression<SqlBool> {
  let found = links.select(onMergeRequests.lit(1).as('one')).whereRef('l.merge_request_id', '=', 'i.id');
  if (after !== undefined) found = found.where('d.finished_at', '>=', after);
  if (before !== undefined) found = found.where('d.finished_at', '<=', before);
  if (environment !== undefined) found = found.where('e.name', '=', environment);
  return onMergeRequests.exists(found);
}

const findFirstToProduction = prepareQuery<DeploymentsDatabase, { ids: readonly number[] }, { id: number; at: Date }>(
  (_db, { ids }) =>
    links
      .where('l.merge_request_id', '=', anyOf(ids, 'bigint'))
      .where('e.tier', '=', constant('production'))
      .where('d.finished_at', 'is not', null)
      .groupBy('l.merge_request_id')
      .select((eb) => ['l.merge_request_id as id', eb.fn.min('d.finished_at').$notNull().as('at')]),
);

async function firstToProduction(ctx: Context, ids: readonly number[]): Promise<Map<number, Date>> {
  const rows = await findFirstToProduction(ctx, { ids });
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** Lets merge requests return where they were deployed. Called when the domain's registry is set up. */
export const registerDeploymentSource = (): void => setDeploymentSource({ deployed, firstToProduction });
