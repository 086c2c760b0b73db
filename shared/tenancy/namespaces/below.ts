import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import { contains } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { TenancyDatabase } from '../tenancy.entities.js';

type OfNamespaces = Aliased<TenancyDatabase, { d: 'namespaces' }>;
const onNamespaces = expressionBuilder<OfNamespaces, 'd'>();

/** That the namespace of an alias is that of an id, or lies below it: as the index on their paths serves it. */
export function isAtOrBelow(alias: string, namespaceId: number): Expression<SqlBool> {
  const path = onNamespaces.ref(`${alias as 'd'}.traversal_ids`);
  return contains(path, onNamespaces.cast<number>(onNamespaces.val(namespaceId), 'bigint'));
}

/** Ids of a namespace and of everything below it. */
export const idsWithin = (namespaceId: number) =>
  onNamespaces.selectFrom('namespaces as d').select('d.id').where(isAtOrBelow('d', namespaceId));
