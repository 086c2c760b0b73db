import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { cloneDatabase, testPool } from '../databases.js';

// A process of its own: the service is started from nothing, again and again.

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the setup that each start runs, on a database of the test's own. */
async function freshDatabase(t: ExecutionContext) {
  const database = await cloneDatabase();
  const pool = testPool(database.url, 1);
  t.teardown(async () => {
    await pool.end();
    await database.drop();
  });
  const setUp = async (env: NodeJS.ProcessEnv = {}): Promise<Outcome> => {
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [path.resolve('dist/shared/setup.js')], {
        env: {
          ...process.env,
          DATABASE_URL: database.url,
          SECRET_KEY_BASE: 'a secret for tests, of at least 32 characters',
          LOG_LEVEL: 'info',
          ...env,
        },
      });
      return { code: 0, stdout, stderr };
    } catch (error) {
      return error as Outcome;
    }
  };
  return { pool, setUp };
}

test('the first start makes the administrator with secrets of its own, shows them once, and stores neither', async (t) => {
  const { pool, setUp } = await freshDatabase(t);
  const first = await setUp();
  t.is(first.code, 0);
  const token = /Access token.*:\s+(pat-\S{20,})/.exec(first.stdout)?.[1] as string;
  const password = /Password:\s+(\S{15,})/.exec(first.stdout)?.[1] as string;
  t.truthy(token);
  t.truthy(password);
  const { rows } = await pool.query('select row_to_json(u)::text as u from users u');
  t.is(rows.length, 1);
  t.false(rows[0].u.includes(password));
  t.true(rows[0].u.includes('"scrypt$65536$8$1$'), 'the cost that the service hashes with');
  const tokens = await pool.query('select row_to_json(p)::text as p, scopes from personal_access_tokens p');
  t.false(tokens.rows[0].p.includes(token));
  t.true(tokens.rows[0].scopes.includes('sudo'));
  const second = await setUp();
  t.is(second.code, 0);
  t.is(second.stdout, '');
});

test('secrets from the environment are used and not shown', async (t) => {
  const { setUp } = await freshDatabase(t);
  const env = { INITIAL_ROOT_TOKEN: 'pat-a-token-of-my-own-choice', INITIAL_ROOT_PASSWORD: 'a password of my own' };
  const { code, stdout } = await setUp(env);
  t.is(code, 0);
  t.false(stdout.includes(env.INITIAL_ROOT_TOKEN));
  t.false(stdout.includes(env.INITIAL_ROOT_PASSWORD));
});

test('weak secrets for the administrator are refused by name', async (t) => {
  const { pool, setUp } = await freshDatabase(t);
  const { code, stderr } = await setUp({ INITIAL_ROOT_TOKEN: 'short', INITIAL_ROOT_PASSWORD: '1234' });
  t.is(code, 78);
  t.regex(stderr, /INITIAL_ROOT_TOKEN must be/);
  t.regex(stderr, /INITIAL_ROOT_PASSWORD must be/);
  const common = await setUp({ INITIAL_ROOT_PASSWORD: 'Password123' });
  t.is(common.code, 78);
  t.regex(common.stderr, /INITIAL_ROOT_PASSWORD must not be one of the passwords/);
  t.is((await pool.query('select from users')).rows.length, 0);
});

test('a database set up with another secret refuses to start', async (t) => {
  const { setUp } = await freshDatabase(t);
  t.is((await setUp()).code, 0);
  const { code, stderr } = await setUp({ SECRET_KEY_BASE: 'quite another secret of at least 32 characters' });
  t.is(code, 78);
  t.regex(stderr, /SECRET_KEY_BASE must be the secret that this database was set up with/);
});

test("a database of one's own needs a secret of one's own", async (t) => {
  const { setUp } = await freshDatabase(t);
  const { code, stderr } = await setUp({ SECRET_KEY_BASE: '' });
  t.is(code, 78);
  t.regex(stderr, /SECRET_KEY_BASE must be set when DATABASE_URL is/);
});

test('many processes may set up one database at once', async (t) => {
  const { pool, setUp } = await freshDatabase(t);
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => setUp()));
  t.deepEqual(
    outcomes.map((outcome) => outcome.code),
    [0, 0, 0, 0],
  );
  t.is((await pool.query('select from users')).rows.length, 1);
});
