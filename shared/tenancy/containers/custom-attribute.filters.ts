import { expressionBuilder, sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { boolean, optional, textHash } from '../../core/operations/fields.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { attributeTable } from './custom-attribute.owner.js';
import type { OwnerKind } from './custom-attribute.owner.js';
import { mayAskAttributes } from './custom-attribute.serializer.js';

/**
 * Custom attributes in lists and records of users, groups and projects (custom-attributes.md section 5). A list takes
 * both parameters and adds {@link attributeConditions} to its conditions; its serializer has `attributesField` and the
 * view `attributesView`.
 */

export const withAttributesParam = {
  with_custom_attributes: optional(boolean()).describe('If `true`, includes custom attributes. For administrators.'),
};

export const attributeFilterParams = {
  ...withAttributesParam,
  custom_attributes: optional(textHash()).describe('Filter by custom attributes. For administrators.'),
};

/** Beyond so many pairs planning a join for each would take longer than any search. */
const JOINED_PAIRS = 4;

type Pair = readonly [key: string, value: string];

const db = expressionBuilder<TenancyDatabase>();

/** Ids of owners that have one pair. */
function ownersWith(kind: OwnerKind, [key, value]: Pair) {
  const { table, column } = attributeTable(kind);
  return db
    .selectFrom(`${table} as a`)
    .select(`a.${column}`)
    .where('a.key', '=', key)
    .where((eb) => eb(eb.fn('md5', ['a.value']), '=', eb.fn('md5', [eb.val(value)])))
    .where('a.value', '=', value);
}

/** Ids of owners that have all pairs: an owner has a key once, and all pairs when it has as many. */
function ownersWithAll(kind: OwnerKind, pairs: readonly Pair[]) {
  const { table, column } = attributeTable(kind);
  const [keys, values] = [pairs.map(([key]) => key), pairs.map(([, value]) => value)];
  const pairRows = sql<{ key: string; value: string }>`unnest(${keys}::text[], ${values}::text[])`;
  return db
    .selectFrom(pairRows.as<'w'>(sql.raw('w (key, value)')))
    .innerJoin(`${table} as a`, (join) =>
      join
        .onRef('a.key', '=', 'w.key')
        .on((on) => on(on.fn('md5', ['a.value']), '=', on.fn('md5', ['w.value'])))
        .onRef('a.value', '=', 'w.value'),
    )
    .select(`a.${column}`)
    .groupBy(`a.${column}`)
    .having((eb) => eb(eb.fn.countAll<number>(), '=', pairs.length));
}

/**
 * Conditions that require an exact match of all key-value pairs.
 * @param id the owner's id, such as that of project `p`
 */
export function attributeConditions(
  ctx: Context,
  kind: OwnerKind,
  id: Expression<number>,
  pairs: readonly Pair[] | undefined,
): Expression<SqlBool>[] {
  if (!pairs || !mayAskAttributes(ctx)) return [];
  const conditions = pairs.slice(0, JOINED_PAIRS).map((pair) => db(id, 'in', ownersWith(kind, pair)));
  const rest = pairs.slice(JOINED_PAIRS);
  if (rest.length > 0) conditions.push(db(id, 'in', ownersWithAll(kind, rest)));
  return conditions;
}
