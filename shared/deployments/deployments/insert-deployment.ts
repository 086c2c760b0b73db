import type { SignedInContext } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { readRows } from '../../core/database/prepared.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { Environment } from '../environments/environment.entity.js';
import type { EnvironmentRecord } from '../environments/environment.entity.js';
import { Deployment } from './deployment.entity.js';
import type { DeploymentRecord } from './deployment.entity.js';
import { deployedIn, selectDeployments } from './deployment.finder.js';
import type { OfDeployments } from './deployment.finder.js';
import { isFinal } from './deployment-statuses.js';

/** The attributes of a deployment at creation. */
export interface NewDeployment {
  ref: string;
  tag: boolean;
  sha: string;
  status: string;
}

/**
 * The current deployment if it is identical to the new one: creating it again would count it twice
 * (delivery-resources.md section 2). Its environment must be locked.
 */
export async function sameAsDeployed(
  ctx: SignedInContext,
  environment: EnvironmentRecord,
  { ref, tag, sha, status }: NewDeployment,
): Promise<DeploymentRecord | null> {
  if (status !== 'success') return null;
  const [last] = await readRows(ctx.em, selectDeployments(deployedIn(environment.id)));
  if (last?.ref !== ref || last.tag !== tag || last.sha !== sha) return null;
  return { ...last, project: environment.project };
}

/** The next deployment number in the project, never reused. */
async function nextIid(ctx: SignedInContext, projectId: number): Promise<number> {
  const counter = await ctx.em
    .getKysely<DeploymentsDatabase>()
    .insertInto('project_counters')
    .values({ project_id: projectId, kind: 'deployment', last_value: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'kind'])
        .doUpdateSet((eb) => ({ last_value: eb('project_counters.last_value', '+', 1) })),
    )
    .returning('last_value')
    .executeTakeFirstOrThrow();
  return counter.last_value;
}

/** Makes a stopped environment available again for a new deployment. */
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
  attributes: NewDeployment,
): Promise<DeploymentRecord> {
  const { project } = environment;
  const iid = await nextIid(ctx, project.id);
  const now = ctx.clock.now();
  const { ref, tag, sha, status } = attributes;
  const available = await makeAvailable(ctx, environment);
  const inserted = ctx.em
    .getKysely<OfDeployments>()
    .with('d', (db) =>
      db
        .insertInto('deployments')
        .values({
          project_id: project.id,
          iid,
          environment_id: environment.id,
          ref,
          tag,
          sha,
          status,
          user_id: ctx.caller.id,
          created_at: now,
          updated_at: now,
          finished_at: isFinal(status) ? now : null,
        })
        .returning(columns(Deployment, 'deployments')),
    )
    .selectFrom('d');
  const row = await selectDeployments(inserted).executeTakeFirstOrThrow();
  ctx.record({ type: 'deployment.created', deployment: row, environment: available, project });
  return { ...row, project };
}
