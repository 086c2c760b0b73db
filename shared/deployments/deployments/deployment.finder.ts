import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns, nested, nestedOrNull } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { aboutProject } from '../../core/values/job-context.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import { findProjectOfUrl, project, queryInProject } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { Environment } from '../environments/environment.entity.js';
import { projectEnvironmentPolicy } from '../environments/environment.policy.js';
import { Deployment } from './deployment.entity.js';
import type { DeploymentRecord } from './deployment.entity.js';

/** Deployments `d`, as conditions name them. */
export type OfDeployments = Aliased<DeploymentsDatabase, { d: 'deployments' }>;
export type DeploymentQuery = SelectQueryBuilder<OfDeployments, 'd', object>;

/** Builds conditions on deployments `d`. */
export const onDeployments = expressionBuilder<OfDeployments, 'd'>();

/** Selects deployments `d` with their environments and who made them. */
export const selectDeployments = (query: DeploymentQuery) =>
  query
    .innerJoin('environments as e', 'e.id', 'd.environment_id')
    .leftJoin('users as u', 'u.id', 'd.user_id')
    .select([
      ...columns(Deployment, 'd'),
      ...nested('environment', Environment, 'e'),
      ...nestedOrNull('user', User, 'u', { only: USER_SUMMARY }),
    ]);

/** A project's deployments in the order in which they were made; filters on `d` are added to `where`. */
export function findDeployments(
  found: ProjectRecord,
  where: readonly Expression<SqlBool>[] = [],
): List<DeploymentRecord> {
  const list: List<DeploymentRecord> = {
    matching: onDeployments.selectFrom('deployments as d').where('d.project_id', '=', found.id),
    select: selectDeployments,
    order: [byId('d', 'asc')],
    read: (row) => ({ ...row, project: found }),
  };
  return narrow(list, where);
}

/** A deployment's row with its environment. */
type Row = Omit<DeploymentRecord, 'project'>;

/** Loads a deployment without permission checks. */
const loadDeployment = queryInProject<OfDeployments, { id: number }, Row>((db, projectId, { id }) =>
  selectDeployments(db.selectFrom('deployments as d')).where('d.project_id', '=', projectId).where('d.id', '=', id),
);

/** Locks the environment of a deployment and then the deployment, as everybody does who changes several of one. */
async function lockDeployment(ctx: Context, projectId: number, id: number): Promise<void> {
  const db = ctx.em.getKysely<OfDeployments>();
  await db
    .selectFrom('environments as e')
    .select('e.id')
    .where('e.id', '=', (eb) =>
      eb
        .selectFrom('deployments as d')
        .select('d.environment_id')
        .where('d.project_id', '=', projectId)
        .where('d.id', '=', id),
    )
    .forNoKeyUpdate()
    .execute();
  await db.selectFrom('deployments as d').select('d.id').where('d.id', '=', id).forNoKeyUpdate().execute();
}

/** The current deployment of an environment: the successful deployment that finished last. */
export const deployedIn = (environmentId: number | Expression<number>) =>
  onDeployments
    .selectFrom('deployments as d')
    .where('d.environment_id', '=', environmentId)
    .where('d.status', '=', constant('success'))
    .orderBy('d.finished_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(constant(1));

function admit(ctx: Context, found: ProjectRecord): void {
  if (!projectEnvironmentPolicy.read_deployment(ctx.caller, found)) throw new Forbidden();
}

type Input = { id: string; deployment_id: number };

/**
 * The resource of `/projects/:id/deployments/:deployment_id…`: 403 where the caller reads none, then 404. For a write it
 * is locked, after its environment.
 */
export const deployment: Resource<DeploymentRecord> = {
  noun: 'Deployment',
  params: { ...project.params, deployment_id: integer().describe('ID of the deployment.') },
  async find(ctx, { id, deployment_id: deploymentId }: Input) {
    const load = (reference: string) => loadDeployment(ctx, reference, { id: deploymentId });
    // Outside of a transaction project and deployment are read by one round trip.
    const [found, early] = await Promise.all([findProjectOfUrl(ctx, id), ctx.inTransaction ? null : load(id)]);
    admit(ctx, found);
    if (ctx.inTransaction) await lockDeployment(ctx, found.id, deploymentId);
    const [row] = early ?? (await load(String(found.id)));
    if (!row) throw new NotFound();
    return { ...row, project: found };
  },
  about: (record) => aboutProject(record.project),
};

/** The deployment of a number in its project; null for none. */
export async function findDeploymentByIid(
  ctx: Context,
  found: ProjectRecord,
  iid: number,
): Promise<DeploymentRecord | null> {
  if (iid > 2 ** 31 - 1) return null;
  const [row] = await readAll(ctx, findDeployments(found, [onDeployments('d.iid', '=', iid)]));
  return row ?? null;
}
