import type { Context } from '../../core/context/context.js';
import { Forbidden } from '../../core/values/errors.js';
import { oneOf } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import { waitsForApprovals } from '../deployment-approvals/approval-state.js';
import { Deployment } from './deployment.entity.js';
import type { DeploymentRecord } from './deployment.entity.js';
import { deployment } from './deployment.finder.js';
import { mayDeploy } from './may-deploy.js';
import { isOutdated } from './outdated.js';
import { TARGET_STATUSES, isFinal, requireTransition } from './deployment-statuses.js';

/** Sets the status of a deployment and records the event. The caller must check that the transition is allowed. */
export async function setDeploymentStatus(
  ctx: Context,
  found: DeploymentRecord,
  status: string,
): Promise<DeploymentRecord> {
  const now = ctx.clock.now();
  const change = { status, updated_at: now, ...(isFinal(status) ? { finished_at: now } : {}) };
  await ctx.em.nativeUpdate(Deployment, { id: found.id }, change);
  const after = { ...found, ...change };
  const { environment, project } = found;
  ctx.record({ type: 'deployment.changed', before: found, after, environment, project });
  return after;
}

/** Whether it starts running or a finished deployment is repeated: an older one must not replace a newer one. */
const takesEffect = (from: string, to: string) => to === 'running' || (to === 'success' && isFinal(from));

/** Report the progress of a deployment; the caller must be allowed to deploy to its environment. */
export const updateDeployment = operation({
  name: 'updateDeployment',
  summary: 'Update a deployment',
  resource: deployment,
  kind: 'write',
  statements: 18,
  params: {
    status: oneOf(TARGET_STATUSES as ['running', 'success', 'failed', 'canceled']).describe(
      'New status of the deployment.',
    ),
  },
  async run(ctx, found, { status }) {
    if (!(await mayDeploy(ctx, { ...found.environment, project: found.project }))) throw new Forbidden();
    if (found.job_id !== null)
      throw new Forbidden('Deployments created using Capstan CI can not be updated using the API');
    requireTransition(found.status, status);
    // What waits for approvals neither runs nor is deployed before (contract decision 18).
    if ((status === 'running' || status === 'success') && (await waitsForApprovals(ctx, found))) throw new Forbidden();
    if (takesEffect(found.status, status) && (await isOutdated(ctx, found)))
      return setDeploymentStatus(ctx, found, 'skipped');
    return setDeploymentStatus(ctx, found, status);
  },
});
