import test from 'ava';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { compiled } from '../../shared/core/database/compile.js';
import { useApp } from './app.js';

const app = useApp(test);

const queryAll = (statements: readonly RawBuilder<unknown>[]) => app.services.db.queryAll(statements.map(compiled));

test('the same statement any number of times in one exchange is prepared once and answered each time', async (t) => {
  const ask = (...numbers: number[]) =>
    queryAll(numbers.map((number) => sql`select ${number}::int as "number", 'together' as "how"`));
  const answers = (...numbers: number[]) => numbers.map((number) => [{ number, how: 'together' }]);
  // The second time that a connection sees a text it prepares it: within this exchange, and between two.
  t.deepEqual(await ask(1, 2, 3, 4), answers(1, 2, 3, 4));
  for (let round = 0; round < 5; round += 1) t.deepEqual(await ask(5, 6, 7), answers(5, 6, 7));
});

test('a statement that fails within an exchange leaves its connection usable', async (t) => {
  const divide = (by: number) => sql`select 12 / ${by}::int as "result", 'divided' as "how"`;
  await t.throwsAsync(queryAll([divide(2), divide(0), divide(3)]), { message: /division by zero/ });
  const rows = await queryAll([divide(2), divide(3)]);
  t.deepEqual(rows, [[{ result: 6, how: 'divided' }], [{ result: 4, how: 'divided' }]]);
});
