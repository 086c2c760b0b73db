import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { compareReleases } from '../../../shared/instance/process/schema-release.js';
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

test('the first start makes the administrator with secrets of its own, shows them, and stores neither in plain text', async (t) => {
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
  const stored = await pool.query('select row_to_json(k)::text as k from instance_initial_credentials k');
  t.is(stored.rows.length, 1);
  t.false(stored.rows[0].k.includes(Buffer.from(token).toString('hex')), 'sealed');
});

const credentialsIn = ({ stdout }: Outcome) => ({
  token: /Access token.*:\s+(pat-\S{20,})/.exec(stdout)?.[1],
  password: /Password:\s+(\S{15,})/.exec(stdout)?.[1],
});

test('a start shows them again as long as nobody has used them: a full disk may have swallowed them', async (t) => {
  const { pool, setUp } = await freshDatabase(t);
  const first = credentialsIn(await setUp());
  t.truthy(first.token && first.password);
  t.deepEqual(credentialsIn(await setUp()), first);
  await pool.query('update personal_access_tokens set last_used_at = now()');
  t.is((await setUp()).stdout, '', 'somebody has the token');
});

test('after a day a start makes others, where nobody has used the first ones', async (t) => {
  const { pool, setUp } = await freshDatabase(t);
  const first = credentialsIn(await setUp());
  await pool.query("update instance_initial_credentials set created_at = created_at - interval '25 hours'");
  const later = credentialsIn(await setUp());
  t.truthy(later.token && later.password);
  t.not(later.token, first.token);
  t.not(later.password, first.password);
  const { rows } = await pool.query('select revoked from personal_access_tokens order by id');
  t.deepEqual(
    rows.map(({ revoked }) => revoked),
    [true, false],
    'the first token opens nothing any more',
  );
  t.deepEqual(credentialsIn(await setUp()), later);
});

test('a password that was changed is not made again, nor is one that the environment set', async (t) => {
  const { pool, setUp } = await freshDatabase(t);
  const env = { INITIAL_ROOT_PASSWORD: 'a password of my own' };
  const first = credentialsIn(await setUp(env));
  t.is(first.password, undefined);
  await pool.query("update instance_initial_credentials set created_at = created_at - interval '25 hours'");
  const before = await pool.query('select password_digest from users');
  const later = credentialsIn(await setUp(env));
  t.not(later.token, first.token);
  t.is(later.password, undefined);
  t.deepEqual((await pool.query('select password_digest from users')).rows, before.rows);
});

test('code that is older than the schema refuses to start, with both versions', async (t) => {
  const { pool, setUp } = await freshDatabase(t);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  t.is((await setUp()).code, 0);
  const recorded = () => pool.query('select release, oldest_compatible_release as oldest from instance_schema');
  t.deepEqual((await recorded()).rows, [{ release: version, oldest: version }]);
  await pool.query("update instance_schema set release = '99.1.0', oldest_compatible_release = '99.0.0'");
  const newer = await setUp();
  t.is(newer.code, 78);
  t.is(
    newer.stderr,
    `capstan: The database was brought up to date by Capstan 99.1.0 and serves 99.0.0 or newer; this is Capstan ${version}. ` +
      'Run the newer version, or restore a backup of the database from before it.\n',
  );
  // Its migrations exist, and this release may serve in parallel with it.
  await pool.query("insert into mikro_orm_migrations (name) values ('20991231T000000-later')");
  await pool.query('update instance_schema set oldest_compatible_release = $1', [version]);
  t.is((await setUp()).code, 0);
  t.is((await recorded()).rows[0].release, '99.1.0', 'it stays recorded');
  // A checkout between two releases.
  await pool.query('update instance_schema set release = $1', [version]);
  const unreleased = await setUp();
  t.is(unreleased.code, 78);
  t.regex(
    unreleased.stderr,
    /^capstan: The database has migrations that this code does not know, up to 20991231T000000-later of Capstan \S+; this is Capstan \S+ with migrations up to \S+\. Run the newer version/,
  );
});

test('releases are compared by their numbers, what follows a hyphen coming before the release', (t) => {
  const order = ['0.1.0', '0.9.0', '0.10.0-rc.1', '0.10.0', '1.0.0'];
  for (const [index, release] of order.entries())
    for (const [otherIndex, other] of order.entries())
      t.is(Math.sign(compareReleases(release, other)), Math.sign(index - otherIndex), `${release} ${other}`);
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

test('a build that set the database up looks only whether it is as it was left', async (t) => {
  const { pool, setUp } = await freshDatabase(t);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'capstan-setup-'));
  t.teardown(() => rm(dataDir, { recursive: true }));
  await mkdir(path.join(dataDir, 'compile-cache'));
  const env = { DATA_DIR: dataDir, CAPSTAN_BUILD: 'a build' };
  const first = credentialsIn(await setUp(env));
  t.deepEqual(credentialsIn(await setUp(env)), first, 'nobody has used them');
  await pool.query('update personal_access_tokens set last_used_at = now()');
  t.is((await setUp(env)).code, 0);
  // The setup waits for this lock.
  await pool.query('select pg_advisory_lock(7226501)');
  const again = await setUp(env);
  t.is(again.code, 0);
  t.is(again.stdout + again.stderr, '');
  await pool.query('select pg_advisory_unlock(7226501)');
  const fingerprint = async () => (await pool.query('select queue_fingerprint as f from instance_queue')).rows[0].f;
  const initial = await fingerprint();
  await pool.query("update instance_queue set queue_fingerprint = 'of another build'");
  t.is((await setUp(env)).code, 0);
  t.is(await fingerprint(), initial, 'what differs is set up');
  const secret = await setUp({ ...env, SECRET_KEY_BASE: 'quite another secret of at least 32 characters' });
  t.is(secret.code, 78);
  t.is((await setUp({ ...env, INITIAL_ROOT_PASSWORD: '1234' })).code, 78);
  await pool.query("update instance_schema set release = '99.1.0', oldest_compatible_release = '99.0.0'");
  t.is((await setUp(env)).code, 78);
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
