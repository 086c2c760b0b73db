import type { Context } from '../../core/context.js';
import { sql, textColumns } from '../../core/sql.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { Environment } from './environment.entity.js';
import { findEnvironmentByName } from './environment.finder.js';
import type { EnvironmentRecord } from './environment.record.js';
import { environmentTaken, readEnvironmentValues } from './environment.rules.js';
import type { NewEnvironment } from './environment-params.js';
import { environmentSlug } from './environment-slug.js';
import { guessTier } from './environment-tier.js';

/** A new environment, or null where the project has one of that name. @throws Invalid */
async function insertEnvironment(
  ctx: Context,
  found: ProjectRecord,
  name: string,
  given: NewEnvironment,
): Promise<EnvironmentRecord | null> {
  const values = { ...given, ...readEnvironmentValues({ ...given, name }) };
  const now = ctx.clock.now();
  const row = await ctx.queryOne<Environment>(sql`
    insert into environments as e (project_id, name, slug, external_url, description, tier, auto_stop_at,
      auto_stop_setting, cluster_agent_id, kubernetes_namespace, flux_resource_path, created_at, updated_at)
    values (${found.id}, ${name}, ${environmentSlug(name)}, ${values.external_url ?? null},
      ${values.description ?? null}, ${values.tier ?? guessTier(name)}, ${values.auto_stop_at ?? null},
      ${values.auto_stop_setting ?? 'always'}, ${values.cluster_agent_id ?? null},
      ${values.kubernetes_namespace ?? null}, ${values.flux_resource_path ?? null}, ${now}, ${now})
    on conflict (project_id, name) do nothing returning ${textColumns(Environment, 'e')}`);
  if (!row) return null;
  ctx.record({ type: 'environment.created', environment: row, project: found });
  return { ...row, project: found };
}

/** Makes an environment. @throws Invalid with everything that is wrong, also that the name is in use */
export async function createNamedEnvironment(
  ctx: Context,
  found: ProjectRecord,
  name: string,
  given: NewEnvironment,
): Promise<EnvironmentRecord> {
  const made = await insertEnvironment(ctx, found, name, given);
  if (!made) throw environmentTaken(environmentSlug(name) === name);
  return made;
}

/** The environment of that name, locked, made where there is none yet. @throws Invalid for a name that none may have */
export async function environmentToDeployTo(
  ctx: Context,
  found: ProjectRecord,
  name: string,
): Promise<EnvironmentRecord> {
  const known = await findEnvironmentByName(ctx, found, name);
  if (known) return known;
  const made = await insertEnvironment(ctx, found, name, {});
  // Somebody was quicker.
  return made ?? ((await findEnvironmentByName(ctx, found, name)) as EnvironmentRecord);
}
