import type { Context } from '../../core/context.js';
import { flag, maybe, textHash } from '../../core/fields.js';
import type { List } from '../../core/list.js';
import { sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { attributeTable, OFFERINGS } from './custom-attribute.owner.js';
import type { OwnerKind } from './custom-attribute.owner.js';
import type { WithAttributes } from './custom-attribute.shape.js';

/**
 * Custom attributes beside lists and records of users, groups and projects (custom-attributes.md section 5). A list
 * takes both parameters, adds {@link attributeConditions} to its conditions and goes through {@link askAttributes};
 * its shape has `attributesField()` and calls `loadAttributes`.
 */

export const withAttributesParam = {
  with_custom_attributes: maybe(flag()).describe('With custom attributes. For administrators.'),
};

export const attributeFilterParams = {
  ...withAttributesParam,
  custom_attributes: maybe(textHash()).describe('Only those with these custom attributes. For administrators.'),
};

/** Whoever is no administrator is answered as if nothing had been asked; so is everybody on the hosted service. */
export const mayAskAttributes = (ctx: Context) =>
  ctx.caller.admin && (OFFERINGS as readonly string[]).includes(ctx.settings.offering);

/** Beyond so many pairs planning a join for each would take longer than any search. */
const JOINED_PAIRS = 4;

type Pair = readonly [key: string, value: string];

/**
 * Conditions that hold where all pairs match, exactly.
 * @param id SQL of the owner's id, such as `p.id`
 */
export function attributeConditions(
  ctx: Context,
  kind: OwnerKind,
  id: Sql,
  wanted: readonly Pair[] | undefined,
): Sql[] {
  if (!wanted || !mayAskAttributes(ctx)) return [];
  const { table, column } = attributeTable(kind);
  const joined = wanted.slice(0, JOINED_PAIRS).map(
    ([key, value]) => sql`${id} in (select a.${column} from ${table} a
      where a.key = ${key} and md5(a.value) = md5(${value}) and a.value = ${value})`,
  );
  const rest = wanted.slice(JOINED_PAIRS);
  if (rest.length === 0) return joined;
  const [keys, values] = [rest.map(([key]) => key), rest.map(([, value]) => value)];
  // An owner has a key once: it has all pairs when it has as many.
  return [
    ...joined,
    sql`${id} in (select a.${column} from unnest(${keys}::text[], ${values}::text[]) as w (key, value)
      join ${table} a on a.key = w.key and md5(a.value) = md5(w.value) and a.value = w.value
      group by a.${column} having count(*) = ${rest.length})`,
  ];
}

/** A record, marked for its shape to show its attributes where they were asked for. */
export function askAttributesOf<T extends WithAttributes>(ctx: Context, record: T, wanted: boolean | undefined): T {
  return wanted && mayAskAttributes(ctx) ? { ...record, with_custom_attributes: true } : record;
}

/** A list whose records are marked so. */
export function askAttributes<T extends WithAttributes, X>(
  ctx: Context,
  list: List<T> & X,
  wanted: boolean | undefined,
): List<T> & X {
  if (!wanted || !mayAskAttributes(ctx)) return list;
  const { read } = list;
  return { ...list, read: (row: T) => ({ ...(read ? read(row) : row), with_custom_attributes: true }) };
}
