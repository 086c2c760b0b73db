import test from 'ava';
import { rowReader } from '../../shared/core/database/row-reader.js';
import { sql } from 'kysely';
import { useApp } from './app.js';

const app = useApp(test);

test('dotted columns come back as nested objects, in the order of the columns', async (t) => {
  const rows = await app.context().query(sql`select 1 as id, 2 as "owner.id", 'x' as "owner.home.name", 3 as last`);
  t.deepEqual(rows, [{ id: 1, owner: { id: 2, home: { name: 'x' } }, last: 3 }]);
  t.is(JSON.stringify(rows[0]), '{"id":1,"owner":{"id":2,"home":{"name":"x"}},"last":3}');
});

test('a nested object whose id is null is null, one without an id stays', async (t) => {
  const rows = await app.context().query(sql`select null::int as "owner.id", 'x' as "owner.name", null as "home.name"`);
  t.deepEqual(rows, [{ owner: null, home: { name: null } }]);
});

test('a reader does not mix up the rows that it reads', (t) => {
  const read = rowReader(
    [
      { name: 'id', dataTypeID: 23 },
      { name: 'owner.name', dataTypeID: 25 },
    ],
    (type) => (type === 23 ? Number : String),
  );
  const [first, second] = [read(['1', 'a']), read([null, 'b'])];
  t.deepEqual(first, { id: 1, owner: { name: 'a' } });
  t.deepEqual(second, { id: null, owner: { name: 'b' } });
});

test('a statement answers the same whether it is sent for the first time, prepared, or known', async (t) => {
  const ctx = app.context();
  const ask = (id: number) =>
    ctx.query(sql`select ${id}::bigint as id, ${new Date(0)}::timestamptz as at, ${'a'}::text as "in.text"`);
  for (const id of [1, 2, 3, 4])
    t.deepEqual(await ask(id), [{ id, at: new Date(0), in: { text: 'a' } }], `asked ${id} times`);
});

test('reads asked for at the same time share one exchange with the database, and each gets its own rows', async (t) => {
  const ctx = app.context();
  const ask = (name: string) =>
    ctx.query<{ name: string; pid: number; at: string }>(
      sql`select ${name}::text as name, pg_backend_pid() as pid, transaction_timestamp()::text as at`,
    );
  const [[a], [b], [c]] = await Promise.all([ask('a'), ask('b'), ask('c')]);
  t.deepEqual([a?.name, b?.name, c?.name], ['a', 'b', 'c']);
  t.is(a?.pid, b?.pid);
  t.deepEqual(a?.at, c?.at);
  const [later] = await ask('later');
  t.notDeepEqual(a?.at, later?.at);
});

test('a statement that fails takes those beside it along, and leaves a connection that works', async (t) => {
  const ctx = app.context();
  const results = await Promise.allSettled([
    ctx.query(sql`select 1 as id`),
    ctx.query(sql`select ${1}::int / ${0}::int as broken`),
    ctx.query(sql`select 2 as id`),
  ]);
  t.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  t.is((results[1] as PromiseRejectedResult).reason.code, '22012');
  for (let turn = 0; turn < 30; turn += 1) t.deepEqual(await ctx.query(sql`select ${turn}::int as id`), [{ id: turn }]);
  t.true(app.services.db.pool.totalCount > 0);
});

test('a value that the wire cannot carry fails its request and no other', async (t) => {
  const ctx = app.context();
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  await t.throwsAsync(ctx.query(sql`select ${circular}::text as text`));
  t.deepEqual(await ctx.query(sql`select ${[1, 2]}::bigint[] as ids, ${null}::text as none`), [
    { ids: [1, 2], none: null },
  ]);
});
