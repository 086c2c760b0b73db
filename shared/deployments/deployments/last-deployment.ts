import type { Kysely } from 'kysely';
import { constant, unnested } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { load } from '../../core/context/loads.js';
import type { Load } from '../../core/context/loads.js';
import { projectEnvironmentPolicy } from '../environments/environment.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { EnvironmentRecord } from '../environments/environment.entity.js';
import { selectDeployments } from './deployment.finder.js';
import type { OfDeployments } from './deployment.finder.js';
import { DEPLOYMENT_STATUSES } from './deployment-statuses.js';
import type { DeploymentRecord } from './deployment.entity.js';

function getLast(status: (typeof DEPLOYMENT_STATUSES)[number]): Load<EnvironmentRecord, DeploymentRecord> {
  const findLast = prepareQuery((db: Kysely<OfDeployments>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
    db
      .selectFrom(unnested(ids, 'bigint').as('requested'))
      .crossJoinLateral((eb) =>
        selectDeployments(eb.selectFrom('deployments as d').where('d.environment_id', '=', eb.ref('requested.value')))
          .where('d.status', '=', constant(status))
          .$if(status === 'success', (query) => query.orderBy('d.finished_at', 'desc'))
          .orderBy('d.id', 'desc')
          .limit(constant(1))
          .as('last'),
      )
      .selectAll('last'),
  );
  return load(
    (environment: Readonly<EnvironmentRecord>) => environment.id,
    async (ctx, environments): Promise<Map<number, DeploymentRecord>> => {
      const readable = environments.filter(({ project }) =>
        projectEnvironmentPolicy.read_deployment(ctx.caller, project),
      );
      const projects = new Map(readable.map(({ id, project }) => [id, project]));
      if (projects.size === 0) return new Map();
      const rows = await findLast(ctx, { ids: [...projects.keys()] });
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
 * The last deployment in each status of a page of environments, by status: for `success` the one that finished last,
 * which is what is currently deployed. Empty for callers who cannot read deployments.
 */
export const lastDeploymentsIn: ReadonlyMap<string, Load<EnvironmentRecord, DeploymentRecord>> = new Map(
  DEPLOYMENT_STATUSES.map((status) => [status, getLast(status)]),
);

/** The current deployment of each of a page of environments. */
export const lastDeployments = lastDeploymentsIn.get('success') as Load<EnvironmentRecord, DeploymentRecord>;
