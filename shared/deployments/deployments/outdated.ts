import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { DeploymentRecord } from './deployment.record.js';
import { isFinal } from './transitions.js';

interface Forward {
  enabled: boolean;
  rollback_allowed: boolean;
  newer: boolean;
}

/**
 * Whether a deployment would bring back an older state of its environment, against the project's settings
 * `ci_forward_deployment_enabled` and `ci_forward_deployment_rollback_allowed` (decision 52): another commit was
 * deployed there by a newer one. What is over already may be done again where going back is allowed.
 */
export async function isOutdated(ctx: Context, deployment: DeploymentRecord): Promise<boolean> {
  const found = await ctx.queryOne<Forward>(sql`
    select s.ci_forward_deployment_enabled as "enabled", s.ci_forward_deployment_rollback_allowed as "rollback_allowed",
           coalesce((select last.id > ${deployment.id} and last.sha <> ${deployment.sha} from deployments last
             where last.environment_id = ${deployment.environment_id} and last.status = 'success'
             order by last.finished_at desc, last.id desc limit 1), false) as "newer"
      from project_settings s where s.project_id = ${deployment.project_id}`);
  if (!found?.enabled || !found.newer) return false;
  return !found.rollback_allowed || !isFinal(deployment.status);
}
