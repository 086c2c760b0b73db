import type { Context } from '../../core/context.js';
import { boolean, optional, textHash } from '../../core/fields.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { attributeTable } from './custom-attribute.owner.js';
import type { OwnerKind } from './custom-attribute.owner.js';
import { mayAskAttributes } from './custom-attribute.shape.js';

/**
 * Custom attributes beside lists and records of users, groups and projects (custom-attributes.md section 5). A list
 * takes both parameters and adds {@link attributeConditions} to its conditions; its shape has `attributesField` and the
 * view `attributesView`.
 */

export const withAttributesParam = {
  with_custom_attributes: optional(boolean()).describe('With custom attributes. For administrators.'),
};

export const attributeFilterParams = {
  ...withAttributesParam,
  custom_attributes: optional(textHash()).describe('Only those with these custom attributes. For administrators.'),
};

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
  id: Fragment,
  wanted: readonly Pair[] | undefined,
): Fragment[] {
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
