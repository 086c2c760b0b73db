import type { SignedInContext } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { Environment } from '../environments/environment.entity.js';
import type { EnvironmentRecord } from '../environments/environment.record.js';
import { deploymentColumns, deploymentTables } from './deployment.finder.js';
import type { DeploymentRecord } from './deployment.record.js';
import { isFinal } from './transitions.js';

/** What is known of a deployment when it is made. */
export interface NewDeployment {
  ref: string;
  tag: boolean;
  sha: string;
  status: string;
}

/**
 * What is deployed there already, where that is the very same: made anew it would count twice (delivery-resources.md
 * section 2). Its environment is locked.
 */
export async function sameAsDeployed(
  ctx: SignedInContext,
  environment: EnvironmentRecord,
  { ref, tag, sha, status }: NewDeployment,
): Promise<DeploymentRecord | null> {
  if (status !== 'success') return null;
  const last = await ctx.queryOne<DeploymentRecord>(sql`
    select ${deploymentColumns} from ${deploymentTables}
     where d.environment_id = ${environment.id} and d.status = 'success'
     order by d.finished_at desc, d.id desc limit 1`);
  if (last?.ref !== ref || last.tag !== tag || last.sha !== sha) return null;
  return { ...last, project: environment.project };
}

/** The next number of a deployment in its project, never given out again. */
async function nextIid(ctx: SignedInContext, projectId: number): Promise<number> {
  const row = await ctx.queryOne<{ last_value: number }>(sql`
    insert into project_counters as c (project_id, kind, last_value) values (${projectId}, 'deployment', 1)
    on conflict (project_id, kind) do update set last_value = c.last_value + 1 returning c.last_value`);
  return row?.last_value as number;
}

/** A new deployment brings its environment back that was stopped. */
async function makeAvailable(ctx: SignedInContext, environment: EnvironmentRecord): Promise<EnvironmentRecord> {
  if (environment.state === 'available') return environment;
  const change = { state: 'available', auto_delete_at: null, updated_at: ctx.clock.now() };
  await ctx.em.nativeUpdate(Environment, { id: environment.id }, change);
  return { ...environment, ...change };
}

/** Makes a deployment by the caller to an environment, which is locked. */
export async function insertDeployment(
  ctx: SignedInContext,
  environment: EnvironmentRecord,
  given: NewDeployment,
): Promise<DeploymentRecord> {
  const { project } = environment;
  const iid = await nextIid(ctx, project.id);
  const now = ctx.clock.now();
  const { ref, tag, sha, status } = given;
  const available = await makeAvailable(ctx, environment);
  const row = (await ctx.queryOne<DeploymentRecord>(sql`
    with d as (
      insert into deployments (project_id, iid, environment_id, ref, tag, sha, status, user_id, created_at, updated_at,
        finished_at)
      values (${project.id}, ${iid}, ${environment.id}, ${ref}, ${tag}, ${sha}, ${status}, ${ctx.caller.id}, ${now},
        ${now}, ${isFinal(status) ? now : null}) returning *)
    select ${deploymentColumns} from d
      join environments e on e.id = d.environment_id left join users u on u.id = d.user_id`)) as DeploymentRecord;
  ctx.record({ type: 'deployment.created', deployment: row, environment: available, project });
  return { ...row, project };
}
