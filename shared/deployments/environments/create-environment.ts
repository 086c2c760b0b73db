import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { Environment } from './environment.entity.js';
import type { EnvironmentRecord } from './environment.entity.js';
import { findEnvironmentByName } from './environment.finder.js';
import { environmentTakenError, readEnvironmentValues, environmentSlug, guessTier } from './environment.rules.js';
import type { NewEnvironment } from './environment-params.js';

/** A new environment, or null where the project has one of that name. @throws Invalid */
async function insertEnvironment(
  ctx: Context,
  found: ProjectRecord,
  name: string,
  attributes: NewEnvironment,
): Promise<EnvironmentRecord | null> {
  const values = { ...attributes, ...readEnvironmentValues({ ...attributes, name }) };
  const now = ctx.clock.now();
  const row = await ctx.em
    .getKysely<DeploymentsDatabase>()
    .insertInto('environments')
    .values({
      project_id: found.id,
      name,
      slug: environmentSlug(name),
      external_url: values.external_url ?? null,
      description: values.description ?? null,
      tier: values.tier ?? guessTier(name),
      state: 'available',
      auto_stop_at: values.auto_stop_at ?? null,
      auto_stop_setting: values.auto_stop_setting ?? 'always',
      cluster_agent_id: values.cluster_agent_id ?? null,
      kubernetes_namespace: values.kubernetes_namespace ?? null,
      flux_resource_path: values.flux_resource_path ?? null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
    .returning(columns(Environment, 'environments'))
    .executeTakeFirst();
  if (!row) return null;
  ctx.record({ type: 'environment.created', environment: row, project: found });
  return { ...row, project: found };
}

/** Makes an environment. @throws Invalid with everything that is wrong, also that the name is in use */
export async function addEnvironment(
  ctx: Context,
  found: ProjectRecord,
  name: string,
  attributes: NewEnvironment,
): Promise<EnvironmentRecord> {
  const environment = await insertEnvironment(ctx, found, name, attributes);
  if (!environment) throw environmentTakenError(environmentSlug(name) === name);
  return environment;
}

/** The environment of that name, locked, made where there is none yet. @throws Invalid for a name that none may have */
export async function environmentToDeployTo(
  ctx: Context,
  found: ProjectRecord,
  name: string,
): Promise<EnvironmentRecord> {
  const existing = await findEnvironmentByName(ctx, found, name);
  if (existing) return existing;
  const environment = await insertEnvironment(ctx, found, name, {});
  // Another request has created it first.
  return environment ?? ((await findEnvironmentByName(ctx, found, name)) as EnvironmentRecord);
}
