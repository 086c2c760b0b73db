import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import { containerColumn } from '../../core/operations/container.js';
import type { ContainerRef } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { Aliased } from '../../core/database/tables.js';
import { Conflict, NotFound } from '../../core/values/errors.js';
import type { CiDatabase } from '../ci.entities.js';
import { CiVariable } from './ci-variable.entity.js';

/** Variables `v`, as conditions name them. */
type OfVariables = Aliased<CiDatabase, { v: 'ci_variables' }>;

const onVariables = expressionBuilder<OfVariables, 'v'>();

/** Variables of this very owner, none of those above or below; null is the instance. */
function isVariableOfOwner(owner: ContainerRef | null): Expression<SqlBool> {
  if (owner) return onVariables(`v.${containerColumn(owner.kind)}`, '=', owner.id);
  return onVariables.and([onVariables('v.project_id', 'is', null), onVariables('v.namespace_id', 'is', null)]);
}

/** The variables of an owner, the oldest first; null is the instance. */
export function listOwnedVariables(owner: ContainerRef | null): List<CiVariable> {
  const list: List<CiVariable> = {
    matching: expressionBuilder<CiDatabase>().selectFrom('ci_variables as v'),
    select: (query) => query.select(columns(CiVariable, 'v')),
    order: [byId('v', 'asc')],
  };
  return narrow(list, [isVariableOfOwner(owner)]);
}

/** Variables with a key, one for each scope. */
export const findVariablesByKey = (ctx: Context, owner: ContainerRef | null, key: string): Promise<CiVariable[]> =>
  readAll(ctx, narrow(listOwnedVariables(owner), [onVariables('v.key', '=', key)]));

/**
 * A variable by its key, and by its scope if the key has several.
 * @throws NotFound "404 Variable Not Found", Conflict if only a scope would tell which one is meant
 */
export async function findVariable(
  ctx: Context,
  owner: ContainerRef | null,
  key: string,
  scope?: string,
): Promise<CiVariable> {
  const rows = await findVariablesByKey(ctx, owner, key);
  const matches = scope === undefined ? rows : rows.filter((row) => row.environment_scope === scope);
  if (matches.length > 1)
    throw new Conflict("There are multiple variables with provided parameters. Please use 'filter[environment_scope]'");
  const [variable] = matches;
  if (!variable) throw new NotFound('Variable');
  return variable;
}
