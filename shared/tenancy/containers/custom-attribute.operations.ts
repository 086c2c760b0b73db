import type { Context } from '../../core/context/context.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { forContainers } from './container.js';
import type { CustomAttributeRecord } from './custom-attribute.entity.js';
import { attributeOwner, attributeTable, customAttributePolicy, OFFERINGS } from './custom-attribute.owner.js';
import type { AttributeOwner, OwnerKind } from './custom-attribute.owner.js';

const MAX_KEY = 255;
const MAX_VALUE = 65_535;

const tooLong = (most: number) => `is too long (maximum is ${most} characters)`;

/** @throws Invalid with one sentence for each broken rule (custom-attributes.md sections 2.7 and 3) */
function requireValues(key: string, value: string): void {
  const problems: string[] = [];
  if (key.trim() === '') problems.push("Key can't be blank");
  else if ([...key].length > MAX_KEY) problems.push(`Key ${tooLong(MAX_KEY)}`);
  if (value.trim() === '') problems.push("Value can't be blank");
  else if ([...value].length > MAX_VALUE) problems.push(`Value ${tooLong(MAX_VALUE)}`);
  if (problems.length > 0) throw new Invalid(problems);
}

function list(ctx: Context, { kind, id }: AttributeOwner): Promise<CustomAttributeRecord[]> {
  const { table, column } = attributeTable(kind);
  return ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom(`${table} as a`)
    .select(['a.key', 'a.value'])
    .where(`a.${column}`, '=', id)
    .orderBy('a.id')
    .execute();
}

async function read(ctx: Context, { kind, id }: AttributeOwner, key: string): Promise<CustomAttributeRecord> {
  const { table, column } = attributeTable(kind);
  const found = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom(`${table} as a`)
    .select(['a.key', 'a.value'])
    .where(`a.${column}`, '=', id)
    .where('a.key', '=', key)
    .executeTakeFirst();
  if (!found) throw new NotFound();
  return found;
}

/** Upserts with one statement so that neither of two concurrent writes fails; the last write wins. */
async function set(ctx: Context, { kind, id }: AttributeOwner, key: string, value: string) {
  requireValues(key, value);
  const { table, column } = attributeTable(kind);
  const now = ctx.clock.now();
  const attribute = { key, value, created_at: now, updated_at: now };
  await ctx.em
    .getKysely<TenancyDatabase>()
    .insertInto(table)
    .values({ ...attribute, [column]: id } as typeof attribute & { user_id: number })
    .onConflict((conflict) => conflict.columns([column, 'key']).doUpdateSet({ value, updated_at: now }))
    .execute();
  return { key, value };
}

/** The owner is there, what should be removed from it is not. */
export class NoSuchAttribute extends NotFound {
  constructor() {
    super('Custom attribute');
  }
}

async function remove(ctx: Context, { kind, id }: AttributeOwner, key: string): Promise<CustomAttributeRecord> {
  const { table, column } = attributeTable(kind);
  const removed = await ctx.em
    .getKysely<TenancyDatabase>()
    .deleteFrom(table)
    .where(column, '=', id)
    .where('key', '=', key)
    .returning(['key', 'value'])
    .executeTakeFirst();
  if (!removed) throw new NoSuchAttribute();
  return removed;
}

const keyParam = {
  key: text()
    .describe('Key of the custom attribute, which can be any text.')
    .meta({ examples: ['location'] }),
};

/** Reading and writing the attributes of one kind of owner: administrators. */
function operationsOn(kind: OwnerKind, noun: string) {
  const reading = {
    resource: attributeOwner(kind, 'read'),
    authentication: 'resource',
    can: can(customAttributePolicy, 'read_custom_attribute'),
    kind: 'read',
    offerings: OFFERINGS,
    statements: 3,
  } as const;
  const writing = {
    resource: attributeOwner(kind, 'write'),
    authentication: 'resource',
    can: can(customAttributePolicy, 'admin_custom_attribute'),
    kind: 'write',
    offerings: OFFERINGS,
    statements: 6,
  } as const;
  return {
    /** All of them, the oldest first. */
    list: operation({
      name: `list${noun}CustomAttributes`,
      ...reading,
      summary: `List the custom attributes of a ${kind}`,
      run: list,
    }),

    /** One by its key. */
    get: operation({
      name: `get${noun}CustomAttribute`,
      ...reading,
      summary: `Read a custom attribute of a ${kind}`,
      params: keyParam,
      run: (ctx, owner, input) => read(ctx, owner, input.key),
    }),

    /** Set one: it is made, or its value replaced. */
    set: operation({
      name: `set${noun}CustomAttribute`,
      ...writing,
      summary: `Set a custom attribute of a ${kind}`,
      params: {
        ...keyParam,
        value: text()
          .describe('Value of the custom attribute, which can be any text that is not blank.')
          .meta({ examples: ['berlin'] }),
      },
      run: (ctx, owner, input) => set(ctx, owner, input.key, input.value),
    }),

    /** Remove a custom attribute and return it. */
    remove: operation({
      name: `delete${noun}CustomAttribute`,
      ...writing,
      summary: `Delete a custom attribute of a ${kind}`,
      params: keyParam,
      run: (ctx, owner, input) => remove(ctx, owner, input.key),
    }),
  };
}

export const userCustomAttributes = operationsOn('user', 'User');
export const containerCustomAttributes = forContainers(({ kind, noun }) => operationsOn(kind, noun));
