import type { Context } from '../../core/context/context.js';
import { projectEnvironmentPolicy, environmentPolicy } from '../environments/environment.policy.js';
import type { EnvironmentRecord } from '../environments/environment.entity.js';
import { admittedTo } from '../protected-environments/admitted-to.js';
import { load } from '../../core/context/loads.js';

/**
 * Whether the caller may deploy to and stop each of many environments, in their order: Developers and above
 * (delivery-resources.md section 2) who are admitted by every protection of the environment (protected-environments.md
 * section 7). One statement.
 */
async function mayDeployToEach(ctx: Context, environments: readonly EnvironmentRecord[]): Promise<boolean[]> {
  const byRole = environments.map(({ project }) => projectEnvironmentPolicy.create_deployment(ctx.caller, project));
  const admitted = await admittedTo(
    ctx,
    environments.filter((_, index) => byRole[index]),
  );
  const answers = admitted.values();
  return byRole.map((may) => may && answers.next().value === true);
}

/** The same of one. */
export async function mayDeploy(ctx: Context, environment: EnvironmentRecord): Promise<boolean> {
  const [answer] = await mayDeployToEach(ctx, [environment]);
  return answer === true;
}

/** Which of a page of environments the caller may stop: by role, and by what protects them. */
export const mayStop = load(
  (environment: Readonly<EnvironmentRecord>) => environment.id,
  async (ctx, environments): Promise<Map<number, boolean>> => {
    const mayDeploy = await mayDeployToEach(ctx, environments);
    return new Map(
      environments.map((one, index) => [
        one.id,
        environmentPolicy.stop_environment(ctx.caller, one) && mayDeploy[index] === true,
      ]),
    );
  },
);
