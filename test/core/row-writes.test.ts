import test from 'ava';
import { ANONYMOUS } from '../../shared/core/context/callers.js';
import { Context } from '../../shared/core/context/context.js';
import { sql } from 'kysely';
import { UserStatus } from '../../shared/tenancy/users/user-relations.entity.js';
import { useApp } from './app.js';
import { MOST_STATEMENTS, needlessStatements, writtenStatements } from './sql-statements.js';

const app = useApp(test);

test('few statements are SQL as text, and each says why', (t) => {
  t.deepEqual(needlessStatements(), []);
  const source = [
    'const a = await ctx.query(sql`select 1 as one from users u where u.id = ${id}`);',
    '// Plain SQL: a setting of the session.',
    "await client.query('set search_path to public');",
    'const part = sql`lower(u.username) = ${name}`;',
    'await ctx.query(sql`',
    '  with some as (select 1) select * from some`);',
  ];
  const found = writtenStatements('shared/ci/a.ts', source.join('\n'));
  t.deepEqual(
    found.map(({ line, explained }) => [line, explained]),
    [
      [1, false],
      [3, true],
      [5, false],
    ],
  );
  t.is(needlessStatements(found).length, 2);
  const many = Array.from({ length: MOST_STATEMENTS + 1 }, () => ({ file: 'a.ts', line: 1, explained: true }));
  t.is(needlessStatements(many).length, 1);
});

test('an update refuses a column that may be undefined, which would be stored as null', (t) => {
  const message = (): string | undefined => undefined;
  const update = (ctx: Context) =>
    // @ts-expect-error -- the message may be undefined
    ctx.em.nativeUpdate(UserStatus, { id: 1 }, { message: message() });
  t.is(typeof update, 'function');
});

test('a row that is written twice in one transaction is changed each time, at once', async (t) => {
  const user = await app.build.user();
  const ctx = new Context(app.services, ANONYMOUS);
  const status = { user_id: user.id, emoji: 'rocket', availability: 'busy', clear_at: null };
  await ctx.transaction(async () => {
    for (const message of ['up', 'down']) {
      await ctx.em.upsert(UserStatus, { ...status, message }, { onConflictFields: ['user_id'] });
      const rows = await ctx.query<{ message: string }>(
        sql`select s.message as "message" from user_statuses s where s.user_id = ${user.id}`,
      );
      t.deepEqual(rows, [{ message }]);
    }
  });
});
