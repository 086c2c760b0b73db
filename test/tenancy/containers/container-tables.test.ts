import test from 'ava';
import { useApp } from '../../core/app.js';

/* The three ways in which a row belongs to a project or a group (decision 35). */

const app = useApp(test);

async function rows<R extends object>(text: string): Promise<R[]> {
  return (await app.services.db.pool.query<R>(text)).rows;
}

const tablesWith = `
  select t.oid, t.relname as table from pg_class t
   where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace`;

/** A not null reference whose rows are deleted with their parent. */
const goesWith = (table: string, column: string, owner: string) => `exists (
  select 1 from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
   where c.conrelid = ${table} and c.contype = 'f' and c.confrelid = '${owner}'::regclass
     and a.attname = '${column}' and c.confdeltype = 'c')`;

/** Columns of the two themselves, in tables of their own: no resource of containers. */
const THEIR_OWN = ['settings'];

test('of a resource with a table per kind both tables are alike, and rows go with their container', async (t) => {
  const pairs = await rows<{ resource: string; same: boolean; required: boolean; cascades: boolean }>(`
    with tables as (${tablesWith}),
    columns as (
      select t.oid, array_agg(a.attname || ' ' || a.atttypid::regtype || ' ' || a.attnotnull
               order by a.attname) filter (where a.attname not in ('project_id', 'namespace_id')) as others,
             coalesce(bool_and(a.attnotnull) filter (where a.attname in ('project_id', 'namespace_id')), false) as required
        from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped group by t.oid)
    select substr(p.table, 9) as resource, pc.others = gc.others as same, pc.required and gc.required as required,
           ${goesWith('p.oid', 'project_id', 'projects')} and ${goesWith('g.oid', 'namespace_id', 'namespaces')} as cascades
      from tables p join tables g on p.table like 'project\\_%' and g.table = 'group_' || substr(p.table, 9)
      join columns pc on pc.oid = p.oid join columns gc on gc.oid = g.oid`);
  const resources = pairs.filter(({ resource }) => !THEIR_OWN.includes(resource));
  const names = resources.map(({ resource }) => resource);
  for (const table of ['custom_attributes', 'members', 'notification_settings', 'shares'])
    t.true(names.includes(table), table);
  t.deepEqual(
    resources.filter(({ same, required, cascades }) => !same || !required || !cascades),
    [],
  );
});

/** Rows that remain after their container is deleted, until a job has deleted their files from disk. */
const OUTLIVE = ['removed_content_repositories'];

test('a table with a nullable column per kind lets no row belong to both, and rows go with their container', async (t) => {
  const tables = await rows<{ table: string; exclusive: boolean; cascades: boolean; parents: string[] }>(`
    select t.table, array(
             select c.confrelid::regclass::text from pg_constraint c
               join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1] and a.attnotnull
              where c.conrelid = t.oid and c.contype = 'f' and c.confdeltype = 'c') as parents, exists (
             select 1 from pg_constraint c where c.conrelid = t.oid and c.contype = 'c'
                and c.conkey @> array[p.attnum, n.attnum]) as exclusive,
           ${goesWith('t.oid', 'project_id', 'projects')} and ${goesWith('t.oid', 'namespace_id', 'namespaces')} as cascades
      from (${tablesWith}) t
      join pg_attribute p on p.attrelid = t.oid and p.attname = 'project_id' and not p.attnotnull
      join pg_attribute n on n.attrelid = t.oid and n.attname = 'namespace_id' and not n.attnotnull`);
  const names = tables.map(({ table }) => table);
  for (const table of ['ci_variables', 'deploy_tokens', 'personal_access_tokens', 'routes'])
    t.true(names.includes(table), table);
  // Directly, or with the row that they are about.
  const going = tables.filter(({ cascades }) => cascades).map(({ table }) => table);
  const goes = ({ cascades, parents }: (typeof tables)[number]) =>
    cascades || parents.some((parent) => going.includes(parent));
  const wrong = tables.filter((table) => !OUTLIVE.includes(table.table) && (!table.exclusive || !goes(table)));
  t.deepEqual(wrong, []);
});

test('a table that names what it is about by kind and id is a record of what happened, and points at nothing', async (t) => {
  const tables = await rows<{ table: string }>(`
    select t.table from (${tablesWith}) t
      join pg_attribute k on k.attrelid = t.oid and k.attname = 'entity_type'
      join pg_attribute i on i.attrelid = t.oid and i.attname = 'entity_id'`);
  t.deepEqual(tables, [{ table: 'audit_events' }]);
});
