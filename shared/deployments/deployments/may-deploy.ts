import type { Context } from '../../core/context.js';
import { projectEnvironmentPolicy } from '../environments/environment.policy.js';
import type { EnvironmentRecord } from '../environments/environment.record.js';

/**
 * Whether the caller may deploy to an environment and stop it: Developers and above (delivery-resources.md section 2).
 */
export function mayDeploy(ctx: Context, { project }: EnvironmentRecord): Promise<boolean> {
  return Promise.resolve(projectEnvironmentPolicy.create_deployment(ctx.caller, project));
}
