import test from 'ava';
import { sql } from 'kysely';
import type { EntityProperty } from '@mikro-orm/core';
import { ANONYMOUS } from '../../shared/core/context/callers.js';
import { Context } from '../../shared/core/context/context.js';
import { domains } from '../../shared/domains.js';
import { useApp } from './app.js';

const app = useApp(test);

/** A value of each type of column, as PostgreSQL reads it. */
const SAMPLES: Record<string, string> = {
  bigint: '9007199254740991',
  integer: '7',
  smallint: '7',
  numeric: '1.5',
  'double precision': '1.5',
  real: '1.5',
  boolean: 'true',
  text: 'some text',
  'character varying': 'some text',
  date: '2030-01-31',
  'timestamp with time zone': '2030-01-31T12:30:00.123Z',
  jsonb: '{"some": ["value"]}',
  json: '{"some": ["value"]}',
  bytea: '\\x00ff',
  uuid: '5a3f1c1e-8f0c-4b3e-9c1d-0f8d4a6b7c8d',
  inet: '192.0.2.7',
};

function getSample(type: string): string | undefined {
  const element = type.endsWith('[]') ? SAMPLES[type.slice(0, -2)] : undefined;
  return element === undefined ? SAMPLES[type] : `{"${element}"}`;
}

const isOf: Record<string, (value: unknown) => boolean> = {
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  Date: (value) => value instanceof Date,
  Buffer: (value) => Buffer.isBuffer(value),
  object: (value) => typeof value === 'object',
  any: (value) => typeof value === 'object',
};

/** The type that an entity declares for a column: for a relation, the type of its target's key. */
function getType({ runtimeType, targetMeta }: EntityProperty): string {
  return targetMeta ? getType(targetMeta.getPrimaryProp()) : runtimeType;
}

function fits(property: EntityProperty, value: unknown): boolean {
  const { array } = property;
  const runtimeType = getType(property);
  if (runtimeType.endsWith('[]') || array) return Array.isArray(value);
  return isOf[runtimeType]?.(value) ?? false;
}

test('what Kysely reads of each column of each entity has the type that the entity gives it', async (t) => {
  const ctx = new Context(app.services, ANONYMOUS);
  const problems: string[] = [];
  let columns = 0;
  await ctx.transaction(async () => {
    // oxlint-disable-next-line typescript/no-explicit-any -- tables are chosen at run time
    const db = ctx.em.getKysely<any>();
    for (const entity of domains.flatMap(({ entities }) => entities)) {
      const meta = ctx.em.getMetadata().get(entity);
      const { tableName: table } = meta;
      // A table of the same columns without their constraints, which is found before the one that it is like.
      await sql`create temp table ${sql.id(table)} (like ${sql.id('public', table)}) on commit drop`.execute(db);
      const { rows } = await sql<{ name: string; type: string }>`
        select attname as name, format_type(atttypid, null) as type from pg_attribute
         where attrelid = ${`pg_temp.${table}`}::regclass and attnum > 0 and not attisdropped`.execute(db);
      const sampled = rows.map(({ name, type }) => {
        const sample = getSample(type);
        if (sample === undefined) throw new Error(`${table}.${name}: no sample of ${type}`);
        return sql`${sample}::text::${sql.raw(type)}`;
      });
      await sql`insert into ${sql.id(table)} values (${sql.join(sampled)})`.execute(db);
      const row = (await db.selectFrom(table).selectAll().executeTakeFirstOrThrow()) as Record<string, unknown>;
      for (const property of Object.values(meta.properties)) {
        if (property.persist === false) continue;
        const name = property.fieldNames[0] ?? property.name;
        columns += 1;
        if (!(name in row)) problems.push(`${table}.${name}: the table has no such column`);
        else if (!fits(property, row[name]))
          problems.push(`${table}.${name}: ${getType(property)} in the entity, ${typeof row[name]} when read`);
      }
    }
  });
  t.deepEqual(problems, []);
  t.true(columns > 500, `${columns} columns`);
});

test('a relation leads to the table that the foreign key of its column references', async (t) => {
  const { em } = new Context(app.services, ANONYMOUS);
  const { rows } = await sql<{ column: string; table: string }>`
    select c.conrelid::regclass || '.' || a.attname as column, c.confrelid::regclass::text as table
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and cardinality(c.conkey) = 1`.execute(em.getKysely());
  const references = new Map(rows.map(({ column, table }) => [column, table]));
  const relations = domains
    .flatMap(({ entities }) => entities)
    .flatMap((entity) => {
      const { tableName, relations: properties } = em.getMetadata().get(entity);
      return properties.map(({ name, targetMeta }) => [`${tableName}.${name}`, targetMeta?.tableName] as const);
    });
  t.deepEqual(
    relations.filter(([column, table]) => references.get(column) !== table),
    [],
  );
  t.true(relations.length > 200, `${relations.length} relations`);
});
