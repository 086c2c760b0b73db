import type { Context } from '../../core/context/context.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { deployedIn } from './deployment.finder.js';
import type { DeploymentRecord } from './deployment.entity.js';
import { isFinal } from './deployment-statuses.js';

/**
 * Whether a deployment would restore an older state of its environment, against the project's settings
 * `ci_forward_deployment_enabled` and `ci_forward_deployment_rollback_allowed` (decision 52): a newer deployment has
 * deployed another commit there. A finished deployment may be repeated if rollback is allowed.
 */
export async function isOutdated(ctx: Context, deployment: DeploymentRecord): Promise<boolean> {
  const { id, sha, environment_id: environmentId, project_id: projectId } = deployment;
  const found = await ctx.em
    .getKysely<DeploymentsDatabase>()
    .selectFrom('project_settings as s')
    .select((eb) => {
      const isNewer = deployedIn(environmentId)
        .select((of) =>
          of
            .and([of('d.id', '>', id), of('d.sha', '<>', sha)])
            .$castTo<boolean>()
            .as('newer'),
        )
        .$asScalar();
      return [
        's.ci_forward_deployment_enabled as enabled',
        's.ci_forward_deployment_rollback_allowed as rollback_allowed',
        eb.fn.coalesce(isNewer, eb.lit(false)).as('newer'),
      ];
    })
    .where('s.project_id', '=', projectId)
    .executeTakeFirst();
  if (!found?.enabled || !found.newer) return false;
  return !found.rollback_allowed || !isFinal(deployment.status);
}
