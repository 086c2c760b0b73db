import { load } from '../../core/loads.js';
import { sql } from '../../core/sql.js';
import { projectEnvironmentPolicy } from '../environments/environment.policy.js';
import type { EnvironmentRecord } from '../environments/environment.record.js';
import { deploymentColumns, deploymentTables } from './deployment.finder.js';
import type { DeploymentRecord } from './deployment.record.js';

/**
 * What is deployed in each of a page of environments of one project: the deployment that last succeeded there. Not for
 * those who read no deployments.
 */
export const lastDeployments = load(
  (environment: Readonly<EnvironmentRecord>) => environment.id,
  async (ctx, environments): Promise<Map<number, DeploymentRecord>> => {
    const shown = environments.filter(({ project }) => projectEnvironmentPolicy.read_deployment(ctx.caller, project));
    const projects = new Map(shown.map(({ id, project }) => [id, project]));
    if (projects.size === 0) return new Map();
    const rows = await ctx.query<DeploymentRecord>(sql`
      select last.* from unnest(${[...projects.keys()]}::bigint[]) as wanted (id)
       cross join lateral (select ${deploymentColumns} from ${deploymentTables}
         where d.environment_id = wanted.id and d.status = 'success'
         order by d.finished_at desc, d.id desc limit 1) last`);
    return new Map(
      rows.map((row) => [
        row.environment_id,
        { ...row, project: projects.get(row.environment_id)! } as DeploymentRecord,
      ]),
    );
  },
);
