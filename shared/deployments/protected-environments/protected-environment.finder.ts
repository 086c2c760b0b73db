import { expressionBuilder } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import type { ContainerRef } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import type { List } from '../../core/database/list.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { ProtectedEnvironment } from './protected-environment.entity.js';

type OfProtected = Aliased<DeploymentsDatabase, { pe: 'protected_environments' }>;

const onProtected = expressionBuilder<OfProtected, 'pe'>();

/** Whether protected environment `pe` belongs directly to this project or group. */
export const belongsTo = ({ kind, id }: ContainerRef) =>
  onProtected(kind === 'project' ? 'pe.project_id' : 'pe.namespace_id', '=', id);

/** The protected environments of this very project or group, by name. */
export const findProtectedEnvironments = (container: ContainerRef): List<ProtectedEnvironment> => ({
  matching: onProtected.selectFrom('protected_environments as pe').where(belongsTo(container)),
  select: (query: SelectQueryBuilder<OfProtected, 'pe', object>) => query.select(columns(ProtectedEnvironment, 'pe')),
  // Within a container a name is there once.
  order: [
    { key: 'name', expression: onProtected.ref('pe.name'), direction: 'asc', type: 'text', value: ({ name }) => name },
  ],
});

/** The one of exactly that name. For a write it is locked. @throws NotFound "404 Not found" */
export async function findProtectedEnvironment(
  ctx: Context,
  container: ContainerRef,
  name: string,
): Promise<ProtectedEnvironment> {
  const row = await ctx.em
    .getKysely<OfProtected>()
    .selectFrom('protected_environments as pe')
    .select(columns(ProtectedEnvironment, 'pe'))
    .where(belongsTo(container))
    .where('pe.name', '=', name)
    .$if(ctx.inTransaction, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row) throw new NotFound();
  return row;
}
