import type { Context } from '../../core/context.js';
import { projectEnvironmentPolicy } from '../environments/environment.policy.js';
import type { EnvironmentRecord } from '../environments/environment.record.js';
import { admittedTo } from '../protected-environments/governing.js';

/**
 * Whether the caller may deploy to an environment and stop it: Developers and above (delivery-resources.md section 2)
 * whom everything that protects it admits (protected-environments.md section 7).
 */
export async function mayDeploy(ctx: Context, environment: EnvironmentRecord): Promise<boolean> {
  if (!projectEnvironmentPolicy.create_deployment(ctx.caller, environment.project)) return false;
  const [admitted] = await admittedTo(ctx, [environment]);
  return admitted === true;
}
