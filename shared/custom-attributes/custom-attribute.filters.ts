import type { Context } from '../core/context.js';
import { flag, maybe, textHash } from '../core/fields.js';
import type { List } from '../core/list.js';
import { sql } from '../core/sql.js';
import type { Sql } from '../core/sql.js';
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

/**
 * One condition for each pair: all must match, exactly.
 * @param id SQL of the owner's id, such as `p.id`
 */
export function attributeConditions(
  ctx: Context,
  kind: OwnerKind,
  id: Sql,
  wanted: Record<string, string> | undefined,
): Sql[] {
  if (!wanted || !mayAskAttributes(ctx)) return [];
  const { table, column } = attributeTable(kind);
  return Object.entries(wanted).map(
    ([key, value]) => sql`${id} in (select a.${column} from ${table} a
      where a.key = ${key} and md5(a.value) = md5(${value}) and a.value = ${value})`,
  );
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
