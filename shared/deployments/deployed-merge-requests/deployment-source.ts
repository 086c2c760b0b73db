import type { Context } from '../../core/context.js';
import { and, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { setDeploymentSource } from '../../merge-requests/merge-requests/deployment-source.js';
import type { AskedDeployments } from '../../merge-requests/merge-requests/deployment-source.js';

/** That merge request `i` came with a deployment that ended then, to an environment of that name. */
function deployed({ deployed_after: after, deployed_before: before, environment }: AskedDeployments): Fragment {
  const where = [sql`l.merge_request_id = i.id`];
  if (after !== undefined) where.push(sql`d.finished_at >= ${after}`);
  if (before !== undefined) where.push(sql`d.finished_at <= ${before}`);
  if (environment !== undefined) where.push(sql`e.name = ${environment}`);
  return sql`exists (
    select 1 from deployment_merge_requests l join deployments d on d.id = l.deployment_id
      join environments e on e.id = l.environment_id where ${and(where)})`;
}

async function firstToProduction(ctx: Context, ids: readonly number[]): Promise<Map<number, Date>> {
  const rows = await ctx.query<{ id: number; at: Date }>(sql`
    select l.merge_request_id as "id", min(d.finished_at) as "at"
      from deployment_merge_requests l join deployments d on d.id = l.deployment_id
      join environments e on e.id = l.environment_id
     where l.merge_request_id = any(${ids}::bigint[]) and e.tier = 'production' and d.finished_at is not null
     group by 1`);
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** Has merge requests tell where they were deployed. Called where the domain's registry is made. */
export const tellMergeRequestsOfDeployments = (): void => setDeploymentSource({ deployed, firstToProduction });
