import { expressionBuilder } from 'kysely';
import type { Expression, Kysely, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import type { Aliased } from '../../core/database/tables.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { aboutProject } from '../../core/values/job-context.js';
import { byId, narrow } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import { findProjectOfUrl, project, queryInProject } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { Environment } from './environment.entity.js';
import type { EnvironmentRecord } from './environment.entity.js';
import { projectEnvironmentPolicy } from './environment.policy.js';

type OfEnvironments = Aliased<DeploymentsDatabase, { e: 'environments' }>;
type EnvironmentQuery = SelectQueryBuilder<OfEnvironments, 'e', object>;

/** Builds conditions on environments `e`. */
export const onEnvironments = expressionBuilder<OfEnvironments, 'e'>();

/** A project's environments in the order in which they were made; filters on `e` are added to `where`. */
export function findEnvironments(
  found: ProjectRecord,
  where: readonly Expression<SqlBool>[] = [],
): List<EnvironmentRecord> {
  const list: List<EnvironmentRecord> = {
    matching: onEnvironments.selectFrom('environments as e').where('e.project_id', '=', found.id),
    select: (query: EnvironmentQuery) => query.select(columns(Environment, 'e')),
    order: [byId('e', 'asc')],
    read: (row) => ({ ...row, project: found }),
  };
  return narrow(list, where);
}

/** Environments `e` of a project. */
const environmentsIn = (db: Kysely<OfEnvironments>, projectId: number | Expression<number>) =>
  db.selectFrom('environments as e').select(columns(Environment, 'e')).where('e.project_id', '=', projectId);

const readEnvironment = queryInProject<OfEnvironments, { id: number }, Environment>((db, projectId, { id }) =>
  environmentsIn(db, projectId).where('e.id', '=', id),
);

/** Loads an environment. For a write, its row is locked, so that it does not change after it is read. */
async function loadEnvironment(
  ctx: Context,
  projectId: number,
  condition: Expression<SqlBool>,
): Promise<Environment | null> {
  const row = await environmentsIn(ctx.em.getKysely<OfEnvironments>(), projectId)
    .where(condition)
    .$if(ctx.inTransaction, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  return row ?? null;
}

/** The environment of exactly that name; null for none. For a write its row is locked. */
export async function findEnvironmentByName(
  ctx: Context,
  found: ProjectRecord,
  name: string,
): Promise<EnvironmentRecord | null> {
  const row = await loadEnvironment(ctx, found.id, onEnvironments('e.name', '=', name));
  return row && { ...row, project: found };
}

type Input = { id: string; environment_id: number };

/** The resource of `/projects/:id/environments/:environment_id…`: 403 where the caller reads none, then 404. */
export const environment: Resource<EnvironmentRecord> = {
  noun: 'Environment',
  params: { ...project.params, environment_id: integer().describe('ID of the environment.') },
  async find(ctx, { id, environment_id: environmentId }: Input) {
    // Outside of a transaction project and environment are read by one round trip.
    const early = ctx.inTransaction ? null : readEnvironment(ctx, id, { id: environmentId });
    const [found, read] = await Promise.all([findProjectOfUrl(ctx, id), early]);
    if (!projectEnvironmentPolicy.read_environment(ctx.caller, found)) throw new Forbidden();
    const row = read ? read[0] : await loadEnvironment(ctx, found.id, onEnvironments('e.id', '=', environmentId));
    if (!row) throw new NotFound();
    return { ...row, project: found };
  },
  about: (record) => aboutProject(record.project),
};
