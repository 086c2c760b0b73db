import type { Context } from '../../core/context/context.js';
import { Forbidden } from '../../core/values/errors.js';
import { boolean, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { mayDeploy } from '../deployments/may-deploy.js';
import { Environment } from '../environments/environment.entity.js';
import type { EnvironmentRecord } from '../environments/environment.entity.js';
import { environment } from '../environments/environment.finder.js';
import { environmentPolicy } from '../environments/environment.policy.js';

/** Stops an environment, which is locked; one that is stopped stays as it is. */
export async function stop(ctx: Context, found: EnvironmentRecord): Promise<EnvironmentRecord> {
  if (found.state === 'stopped') return found;
  const change = { state: 'stopped', auto_stop_at: null, updated_at: ctx.clock.now() };
  await ctx.em.nativeUpdate(Environment, { id: found.id }, change);
  const after = { ...found, ...change };
  ctx.record({ type: 'environment.stopped', environment: after, project: found.project });
  return after;
}

/**
 * Stop an environment; the caller must be allowed to deploy to it. External executors run no job for it, so it is
 * stopped immediately, forced or not.
 */
export const stopEnvironment = operation({
  name: 'stopEnvironment',
  summary: 'Stop an environment',
  resource: environment,
  can: can(environmentPolicy, 'stop_environment'),
  kind: 'write',
  params: {
    force: withDefault(boolean(), false).describe('If `true`, stops the environment without running its stop job.'),
  },
  async run(ctx, found) {
    if (!(await mayDeploy(ctx, found))) throw new Forbidden();
    return stop(ctx, found);
  },
});
