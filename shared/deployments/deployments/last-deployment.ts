import { load } from '../../core/loads.js';
import type { Load } from '../../core/loads.js';
import { sql } from '../../core/sql.js';
import { projectEnvironmentPolicy } from '../environments/environment.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { EnvironmentRecord } from '../environments/environment.record.js';
import { deploymentColumns, deploymentTables } from './deployment.finder.js';
import { DEPLOYMENT_STATUSES } from './deployment-statuses.js';
import type { DeploymentRecord } from './deployment.record.js';

function lastOf(status: string): Load<EnvironmentRecord, DeploymentRecord> {
  const order = status === 'success' ? sql`d.finished_at desc, d.id desc` : sql`d.id desc`;
  return load(
    (environment: Readonly<EnvironmentRecord>) => environment.id,
    async (ctx, environments): Promise<Map<number, DeploymentRecord>> => {
      const shown = environments.filter(({ project }) => projectEnvironmentPolicy.read_deployment(ctx.caller, project));
      const projects = new Map(shown.map(({ id, project }) => [id, project]));
      if (projects.size === 0) return new Map();
      const rows = await ctx.query<DeploymentRecord>(sql`
        select last.* from unnest(${[...projects.keys()]}::bigint[]) as wanted (id)
         cross join lateral (select ${deploymentColumns} from ${deploymentTables}
           where d.environment_id = wanted.id and d.status = ${status} order by ${order} limit 1) last`);
      return new Map(
        rows.map((row): [number, DeploymentRecord] => {
          const { environment_id: id } = row;
          return [id, { ...row, project: projects.get(id) as ProjectRecord }];
        }),
      );
    },
  );
}

/**
 * The last deployment in each status of a page of environments, by status: of the successful ones the one that finished
 * last, which is what is deployed there. Not for those who read no deployments.
 */
export const lastDeploymentsIn: ReadonlyMap<string, Load<EnvironmentRecord, DeploymentRecord>> = new Map(
  DEPLOYMENT_STATUSES.map((status) => [status, lastOf(status)]),
);

/** What is deployed in each of a page of environments. */
export const lastDeployments = lastDeploymentsIn.get('success') as Load<EnvironmentRecord, DeploymentRecord>;
