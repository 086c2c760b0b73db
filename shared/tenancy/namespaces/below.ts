import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import { contains } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { TenancyDatabase } from '../tenancy.entities.js';

type OfNamespaces = Aliased<TenancyDatabase, { d: 'namespaces' }>;
const onNamespaces = expressionBuilder<OfNamespaces, 'd'>();

/**
 * Condition that the namespace of an alias is the given one or below it, in a form that uses the index on
 * `traversal_ids`.
 */
export function isAtOrBelow(alias: string, namespaceId: number): Expression<SqlBool> {
  const path = onNamespaces.ref(`${alias as 'd'}.traversal_ids`);
  return contains(path, onNamespaces.cast<number>(onNamespaces.val(namespaceId), 'bigint'));
}

/** Ids of a namespace and of everything below it. */
export const idsWithin = (namespaceId: number) =>
  onNamespaces.selectFrom('namespaces as d').select('d.id').where(isAtOrBelow('d', namespaceId));
