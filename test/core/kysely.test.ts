import test from 'ava';
import { expressionBuilder, sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { ANONYMOUS } from '../../shared/core/context/callers.js';
import { Context } from '../../shared/core/context/context.js';
import { nested, nestedOrNull } from '../../shared/core/database/columns.js';
import { prepareExpression, prepareQuery } from '../../shared/core/database/prepared.js';
import type { Aliased } from '../../shared/core/database/tables.js';
import { Project } from '../../shared/tenancy/projects/project.entity.js';
import type { TenancyDatabase } from '../../shared/tenancy/tenancy.entities.js';
import { User } from '../../shared/tenancy/users/user.entity.js';
import { useApp } from './app.js';

const app = useApp(test);

const context = () => new Context(app.services, ANONYMOUS);

test('entities are found, counted and joined by MikroORM', async (t) => {
  const project = await app.build.project({ empty: true });
  const { em } = context();
  const found = await em.findOne(Project, { id: project.id }, { fields: ['path', 'namespace_id'] });
  t.is(found?.path, project.path);
  t.is(await em.count(User, { username: project.owner.username }), 1);
});

test('the unit of work writes what was changed when the transaction is committed', async (t) => {
  const user = await app.build.user();
  const ctx = context();
  await ctx.transaction(async () => {
    const found = await ctx.em.findOneOrFail(User, { id: user.id });
    found.name = 'Changed Name';
  });
  const row = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('users')
    .select('name')
    .where('id', '=', user.id)
    .executeTakeFirst();
  t.deepEqual(row, { name: 'Changed Name' });
});

test('a transaction that fails gives its connection back, and leaves nothing behind', async (t) => {
  const user = await app.build.user();
  const ctx = context();
  const fail = () =>
    ctx.transaction(async () => {
      await ctx.em.getKysely<TenancyDatabase>().updateTable('users').set({ name: 'Undone' }).execute();
      await sql`select 1 / 0`.execute(ctx.em.getKysely());
    });
  // More often than there are connections.
  for (let round = 0; round < 12; round += 1) await t.throwsAsync(fail, { message: /division by zero/ });
  t.is((await ctx.em.findOneOrFail(User, { id: user.id })).name, user.name);
});

test('a write tells how many rows it changed', async (t) => {
  const user = await app.build.user();
  const db = context().em.getKysely<TenancyDatabase>();
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ name: 'Other' })
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  t.is(numUpdatedRows, 1n);
});

test('columns of a joined row are one object of the result, or null without a row', async (t) => {
  const user = await app.build.user();
  const rows = await context()
    .em.getKysely<TenancyDatabase>()
    .selectFrom('users as u')
    .leftJoin('users as c', 'c.id', 'u.created_by_id')
    .select('u.id')
    .select(nested('self', User, 'u', { only: ['id', 'username'] }))
    .select(nestedOrNull('creator', User, 'c', { only: ['id'] }))
    .where('u.id', '=', user.id)
    .execute();
  t.deepEqual(rows, [{ id: user.id, self: { id: user.id, username: user.username }, creator: null }]);
});

test('what is prepared is built once, and gets its values each time', async (t) => {
  const [one, other] = [await app.build.user(), await app.build.user()];
  let builds = 0;
  const hasName = prepareExpression<{ name: string }, SqlBool>(({ name }) => {
    builds += 1;
    return expressionBuilder<Aliased<TenancyDatabase, { u: 'users' }>, 'u'>()('u.username', '=', name);
  });
  const find = prepareQuery<TenancyDatabase, { id: number; name: string }, { id: number }>((db, { id, name }) => {
    builds += 1;
    return db.selectFrom('users as u').select('u.id').where('u.id', '=', id).where(hasName({ name }));
  });
  const ctx = context();
  t.deepEqual(await find(ctx, { id: one.id, name: one.username }), [{ id: one.id }]);
  t.deepEqual(await find(ctx, { id: other.id, name: other.username }), [{ id: other.id }]);
  t.deepEqual(await find(ctx, { id: one.id, name: other.username }), []);
  t.is(builds, 2);
});
