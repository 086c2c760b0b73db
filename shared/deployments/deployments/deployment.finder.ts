import type { Context } from '../../core/context.js';
import { Forbidden, NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import { aboutProject } from '../../core/job-context.js';
import { byId } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { findProjectOfUrl, project, projectIdSql } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import { Environment } from '../environments/environment.entity.js';
import { projectEnvironmentPolicy } from '../environments/environment.policy.js';
import { Deployment } from './deployment.entity.js';
import type { DeploymentRecord } from './deployment.record.js';

export const deploymentColumns: Fragment = sql`${textColumns(Deployment, 'd')}, ${textColumns(Environment, 'e', 'environment.')},
  ${userSummaryColumns('u', 'user.')}`;
export const deploymentTables: Fragment = sql`deployments d
  join environments e on e.id = d.environment_id
  left join users u on u.id = d.user_id`;

/** A project's deployments in the order in which they were made; filters on `d` are added to `where`. */
export function deploymentsOf(found: ProjectRecord, where: readonly Fragment[] = []): TextList<DeploymentRecord> {
  return {
    select: deploymentColumns,
    from: deploymentTables,
    matching: sql`deployments d`,
    where: [sql`d.project_id = ${found.id}`, ...where],
    order: [byId('d', 'asc')],
    read: (row) => ({ ...row, project: found }),
  };
}

/** A deployment's row with its environment, whoever asks. `projectId` may be SQL. */
const loadDeployment = (ctx: Context, projectId: number | Fragment, condition: Fragment) =>
  ctx.queryOne<Omit<DeploymentRecord, 'project'>>(sql`
    select ${deploymentColumns} from ${deploymentTables} where d.project_id = ${projectId} and ${condition}`);

/** Locks the environment of a deployment and then the deployment, as everybody does who changes several of one. */
async function lockDeployment(ctx: Context, projectId: number, id: number): Promise<void> {
  await ctx.query(sql`
    select 1 from environments e
     where e.id = (select d.environment_id from deployments d where d.project_id = ${projectId} and d.id = ${id})
       for no key update of e`);
  await ctx.query(sql`select 1 from deployments d where d.id = ${id} for no key update of d`);
}

function admit(ctx: Context, found: ProjectRecord): void {
  if (!projectEnvironmentPolicy.read_deployment(ctx.caller, found)) throw new Forbidden();
}

type Input = { id: string; deployment_id: number };

/**
 * The subject of `/projects/:id/deployments/:deployment_id…`: 403 where the caller reads none, then 404. For a write it
 * is locked, after its environment.
 */
export const deployment: Subject<DeploymentRecord> = {
  noun: 'Deployment',
  params: { ...project.params, deployment_id: integer().describe('Id of the deployment.') },
  async find(ctx, { id, deployment_id: deploymentId }: Input) {
    const condition = sql`d.id = ${deploymentId}`;
    // Outside of a transaction project and deployment are read by one round trip.
    const early = ctx.inTransaction ? null : loadDeployment(ctx, projectIdSql(id), condition);
    const [found, read] = await Promise.all([findProjectOfUrl(ctx, id), early]);
    admit(ctx, found);
    if (ctx.inTransaction) await lockDeployment(ctx, found.id, deploymentId);
    const row = ctx.inTransaction ? await loadDeployment(ctx, found.id, condition) : read;
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
  const row = await loadDeployment(ctx, found.id, sql`d.iid = ${iid}`);
  return row && { ...row, project: found };
}
