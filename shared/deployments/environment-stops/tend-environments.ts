import type { Context } from '../../core/context/context.js';
import { columns, nested } from '../../core/database/columns.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { inSteps } from '../../core/context/in-steps.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { Environment } from '../environments/environment.entity.js';

/** Environments of one step. */
const BATCH = 100;

/**
 * Some environments in a state whose scheduled time has passed, locked; those locked by other transactions are left to
 * the next step.
 */
const due = (ctx: Context, column: 'auto_stop_at' | 'auto_delete_at', state: 'available' | 'stopped') =>
  ctx.em
    .getKysely<DeploymentsDatabase>()
    .selectFrom('environments as e')
    .innerJoin('projects as p', 'p.id', 'e.project_id')
    .innerJoin('routes as r', 'r.project_id', 'p.id')
    .select((eb) => [
      ...columns(Environment, 'e'),
      ...nested('project', Project, 'p', { only: ['id', 'namespace_id'], more: { full_path: eb.ref('r.path') } }),
    ])
    .where(`e.${column}`, '<=', ctx.clock.now())
    .where('e.state', '=', constant(state))
    .orderBy(`e.${column}`)
    .orderBy('e.id')
    .limit(BATCH)
    .forNoKeyUpdate('e')
    .skipLocked();

const oneOf = (environments: readonly { id: number }[]) =>
  anyOf(
    environments.map(({ id }) => id),
    'bigint',
  );

/** `with_action` waits for a job that stops it; executors of outside report none. @returns whether there may be more */
async function stopDue(ctx: Context): Promise<boolean> {
  const environments = await due(ctx, 'auto_stop_at', 'available')
    .where('e.auto_stop_setting', '=', constant('always'))
    .execute();
  if (environments.length === 0) return false;
  const now = ctx.clock.now();
  const change = { state: 'stopped', auto_stop_at: null, updated_at: now };
  await ctx.em
    .getKysely<DeploymentsDatabase>()
    .updateTable('environments')
    .set(change)
    .where('id', '=', oneOf(environments))
    .execute();
  for (const { project, ...environment } of environments)
    ctx.record({ type: 'environment.stopped', environment: { ...environment, ...change }, project });
  return environments.length === BATCH;
}

/** Removes stopped review apps. @returns whether there may be more */
async function removeDue(ctx: Context): Promise<boolean> {
  const environments = await due(ctx, 'auto_delete_at', 'stopped').execute();
  if (environments.length === 0) return false;
  await ctx.em
    .getKysely<DeploymentsDatabase>()
    .deleteFrom('environments')
    .where('id', '=', oneOf(environments))
    .execute();
  for (const { project, ...environment } of environments)
    ctx.record({ type: 'environment.deleted', environment, project });
  return environments.length === BATCH;
}

/** Stops and deletes due environments, in steps. Idempotent. */
export async function stopAndRemoveDue(ctx: Context): Promise<void> {
  await inSteps(ctx, () => ctx.transaction(() => stopDue(ctx)));
  await inSteps(ctx, () => ctx.transaction(() => removeDue(ctx)));
}
