import type { Context } from '../../core/context.js';
import { sql, textColumns } from '../../core/sql.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import { DeploymentApproval } from './deployment-approval.entity.js';

/** An approval with who gave it; null once they are removed for good. */
export interface DeploymentApprovalRecord extends DeploymentApproval {
  user: UserSummary | null;
}

/** What was said about many deployments, by deployment, in the order in which it was first said. */
export async function loadApprovals(
  ctx: Context,
  deploymentIds: readonly number[],
): Promise<Map<number, DeploymentApprovalRecord[]>> {
  const rows = await ctx.query<DeploymentApprovalRecord>(sql`
    select ${textColumns(DeploymentApproval, 'a')}, ${userSummaryColumns('u', 'user.')}
      from deployment_approvals a left join users u on u.id = a.user_id
     where a.deployment_id = any(${deploymentIds}::bigint[]) order by a.deployment_id, a.id`);
  return Map.groupBy(rows, (row) => row.deployment_id);
}
