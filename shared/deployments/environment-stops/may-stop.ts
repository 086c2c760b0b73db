import { load } from '../../core/context/loads.js';
import { environmentPolicy } from '../environments/environment.policy.js';
import type { EnvironmentRecord } from '../environments/environment.record.js';
import { mayDeployToEach } from '../deployments/may-deploy.js';

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
