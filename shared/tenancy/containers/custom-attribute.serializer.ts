import type { Kysely } from 'kysely';
import { anyOf } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Context } from '../../core/context/context.js';
import { load } from '../../core/context/loads.js';
import type { Load } from '../../core/context/loads.js';
import { inView, out, serializer } from '../../core/operations/serializer.js';
import type { OutField, View } from '../../core/operations/serializer.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import type { CustomAttributeRecord } from './custom-attribute.entity.js';
import { attributeTable, OFFERINGS } from './custom-attribute.owner.js';
import type { OwnerKind } from './custom-attribute.owner.js';

/** Exactly two keys: `{key, value}` (custom-attributes.md section 1). */
export const customAttributeSerializer = serializer<CustomAttributeRecord>('CustomAttribute', {
  key: out.text((attribute) => attribute.key),
  value: out.text((attribute) => attribute.value),
});

const getId = ({ id }: { readonly id: number }) => id;

const getAttributes = (kind: OwnerKind): Load<{ id: number }, CustomAttributeRecord[]> =>
  load(getId, (ctx, owners) => attributesById(ctx, kind, owners.map(getId)));

const loads = { user: getAttributes('user'), group: getAttributes('group'), project: getAttributes('project') };

const VIEW = 'with_custom_attributes';

/** The field `custom_attributes`, present only if an authorized caller requested it. */
export const attributesField = <T extends { id: number }>(kind: OwnerKind): Record<string, OutField<T>> =>
  inView<T>(VIEW, {
    custom_attributes: out.records(customAttributeSerializer, (record, ctx) => loads[kind].of(record, ctx) ?? []),
  });

/** The view of a serializer that has {@link attributesField}. */
export const attributesView = <T extends { id: number }>(kind: OwnerKind): Record<string, View<T>> => ({
  [VIEW]: { when: mayAskAttributes, loads: [loads[kind] as Load<T>] },
});

/**
 * Whether the request for custom attributes is honored. It is ignored for non-administrators, and for all callers on
 * the hosted service.
 */
export const mayAskAttributes = (ctx: Context) =>
  ctx.caller.admin && (OFFERINGS as readonly string[]).includes(ctx.settings.offering);

function prepareAttributes(kind: OwnerKind) {
  const { table, column } = attributeTable(kind);
  return prepareQuery((db: Kysely<TenancyDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
    db
      .selectFrom(`${table} as a`)
      .select([`a.${column} as owner_id`, 'a.key', 'a.value'])
      .where(`a.${column}`, '=', anyOf(ids, 'bigint'))
      .orderBy('a.id'),
  );
}

const findAttributes = {
  user: prepareAttributes('user'),
  group: prepareAttributes('group'),
  project: prepareAttributes('project'),
};

/**
 * Custom attributes of many owners of one kind by owner id, oldest first per owner. Owners without attributes are
 * absent.
 */
async function attributesById(
  ctx: Context,
  kind: OwnerKind,
  ids: readonly number[],
): Promise<Map<number, CustomAttributeRecord[]>> {
  const rows = await findAttributes[kind](ctx, { ids });
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
