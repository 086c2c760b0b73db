import type { Context } from '../../core/context.js';
import { out, shape } from '../../core/shape.js';
import type { OutField } from '../../core/shape.js';
import { sql } from '../../core/sql.js';
import type { CustomAttributeRecord } from './custom-attribute.entity.js';
import { attributeTable } from './custom-attribute.owner.js';
import type { OwnerKind } from './custom-attribute.owner.js';

/** Exactly two keys: `{key, value}` (custom-attributes.md section 1). */
export const customAttributeShape = shape<CustomAttributeRecord>('CustomAttribute', {
  key: out.text((attribute) => attribute.key),
  value: out.text((attribute) => attribute.value),
});

/** A record whose shape may show its attributes. */
export interface WithAttributes {
  /** Whether they were asked for by somebody who may; set by `askAttributes`. */
  with_custom_attributes?: boolean;
  /** Loaded by {@link loadAttributes}. */
  custom_attributes?: CustomAttributeRecord[];
}

/** The field `custom_attributes`, there only where they were asked for. */
export const attributesField = <T extends WithAttributes>(): Record<string, OutField<T>> => ({
  custom_attributes: out.records(customAttributeShape, (record: T) => record.custom_attributes, { optional: true }),
});

/** Attributes of many owners of one kind by their ids, each owner's oldest first; whoever has none is not in it. */
export async function attributesById(
  ctx: Context,
  kind: OwnerKind,
  ids: readonly number[],
): Promise<Map<number, CustomAttributeRecord[]>> {
  const { table, column } = attributeTable(kind);
  const rows = await ctx.query<CustomAttributeRecord & { owner_id: number }>(sql`
    select a.${column} as "owner_id", a.key, a.value from ${table} a
     where a.${column} = any(${ids}::bigint[]) order by a.id`);
  const found = new Map<number, CustomAttributeRecord[]>();
  for (const { owner_id, key, value } of rows) {
    const attributes = found.get(owner_id) ?? [];
    attributes.push({ key, value });
    found.set(owner_id, attributes);
  }
  return found;
}

/** The same, one kind each, for loads that know their kind. */
export const attributesOfUsers = (ctx: Context, ids: readonly number[]) => attributesById(ctx, 'user', ids);
export const attributesOfGroups = (ctx: Context, ids: readonly number[]) => attributesById(ctx, 'group', ids);
export const attributesOfProjects = (ctx: Context, ids: readonly number[]) => attributesById(ctx, 'project', ids);

/** Loads the attributes of those records of a page for which they were asked for: one statement, or none. */
export async function loadAttributes(
  ctx: Context,
  kind: OwnerKind,
  records: readonly (WithAttributes & { id: number })[],
): Promise<void> {
  const asked = records.filter((record) => record.with_custom_attributes);
  if (asked.length === 0) return;
  const found = await attributesById(
    ctx,
    kind,
    asked.map(({ id }) => id),
  );
  for (const record of asked) record.custom_attributes = found.get(record.id) ?? [];
}
