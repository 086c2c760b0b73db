import type { Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { anyOf } from '../../core/database/expressions.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { DeploymentApproval } from './deployment-approval.entity.js';

/** An approval with who gave it; null once they are removed for good. */
export interface DeploymentApprovalRecord extends DeploymentApproval {
  user: UserSummary | null;
}

const findApprovals = prepareQuery(
  (db: Kysely<DeploymentsDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
    db
      .selectFrom('deployment_approvals as a')
      .leftJoin('users as u', 'u.id', 'a.user_id')
      .select([...columns(DeploymentApproval, 'a'), ...nestedOrNull('user', User, 'u', { only: USER_SUMMARY })])
      .where('a.deployment_id', '=', anyOf(ids, 'bigint'))
      .orderBy('a.deployment_id')
      .orderBy('a.id'),
);

/** The approvals and rejections of many deployments, by deployment, in the order in which they were first given. */
export async function loadApprovals(
  ctx: Context,
  deploymentIds: readonly number[],
): Promise<Map<number, DeploymentApprovalRecord[]>> {
  const rows: DeploymentApprovalRecord[] = await findApprovals(ctx, { ids: deploymentIds });
  return Map.groupBy(rows, (row) => row.deployment_id);
}
