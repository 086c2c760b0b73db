import { chownSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { testPool } from '../databases.js';
import { allBelow, Installation, LAUNCH_MS } from './installation.js';
import { Client } from '../client.js';
import { startService } from '../processes.js';
import { getCookie, postJson } from '../signed-in.js';

// A process of its own: runs commands against services that it starts.

const installation = new Installation();
const dataDir = path.join(installation.directory, 'data');
const ORDINARY = 65_534;
const SERVICE = 65_530;

test.after.always('remove the installation', () => installation.remove());

const passwordIn = (stdout: string) => /^New password of root: (\S{15,})$/m.exec(stdout)?.[1] as string;
const tokenIn = (stdout: string) => /^Access token of \S+ \(.*\): (\S{20,})$/m.exec(stdout)?.[1] as string;
const signIn = (url: string, login: string, password: string) =>
  postJson(new Client(url, {}), '/users/sign_in', { login, password });

test.serial('commands work on a running service, which goes on, and on one that is not running', async (t) => {
  t.timeout(LAUNCH_MS);
  const env = { DATA_DIR: dataDir };
  const service = await installation.start({ ...env, INITIAL_ROOT_PASSWORD: 'the password that was lost' });
  const first = await signIn(service.url, 'root', 'the password that was lost');
  t.is(first.status, 200, first.text);
  const cookie = { Cookie: getCookie(first) as string };

  const reset = await installation.admin(['reset-password', 'root'], env);
  t.is(reset.code, 0, reset.stderr);
  t.regex(reset.stderr, /shown this once/);
  const signedOut = await new Client(service.url, cookie).get('/user');
  t.is(signedOut.status, 401, 'sessions ended');
  t.is((await signIn(service.url, 'root', 'the password that was lost')).status, 401);
  t.is((await signIn(service.url, 'root', passwordIn(reset.stdout))).status, 200);
  const result = await installation.admin(
    ['create-token', 'root', '--name', 'found again', '--scopes', 'api,sudo'],
    env,
  );
  t.is(result.code, 0, result.stderr);
  const byToken = new Client(service.url, { 'PRIVATE-TOKEN': tokenIn(result.stdout) });
  t.is((await byToken.get('/user')).body.username, 'root');
  const events = (await byToken.get('/audit_events?entity_type=User&entity_id=1')).body as {
    author_id: number | null;
    event_name: string;
    details: { author_name: string; ip_address: string | null };
  }[];
  for (const name of ['user_password_updated', 'personal_access_token_created']) {
    const event = events.find((found) => found.event_name === name);
    t.is(event?.author_id, null, name);
    t.is(event?.details.author_name, 'The command line on this machine');
    t.is(event?.details.ip_address, null);
  }
  t.is(await service.stop(), 0);

  const listed = await installation.admin(['list-users', '--search', 'admin@example.com'], env);
  t.is(listed.code, 0, listed.stderr);
  t.regex(listed.stdout, /^ID {2}USERNAME {2}NAME {11}ADDRESS {12}STATE\n1 {3}root {6}Administrator/);
  const again = await installation.admin(['reset-password', '1', '--password-stdin'], env, {
    input: 'a password of my own choice\n',
  });
  t.is(again.code, 0, again.stderr);
  t.notRegex(again.stdout + again.stderr, /of my own/);
  const later = await installation.start(env);
  t.is((await signIn(later.url, 'root', 'a password of my own choice')).status, 200);
  t.is(await later.stop(), 0);
});

test.serial('where the service was started with a secret of its own, commands want the same one', async (t) => {
  t.timeout(LAUNCH_MS);
  const env = { DATA_DIR: path.join(installation.directory, 'own-secret') };
  const secret = { SECRET_KEY_BASE: 'a secret of more than thirty-two characters' };
  const service = await installation.start({ ...env, ...secret });
  t.is(await service.stop(), 0);
  const without = await installation.admin(['list-users'], env);
  t.is(without.code, 1);
  t.regex(without.stderr, /set SECRET_KEY_BASE to the one that the service was started with/);
  const listed = await installation.admin(['list-users'], { ...env, ...secret });
  t.is(listed.code, 0, listed.stderr);
  t.regex(listed.stdout, /root/);
});

/** What lies below a DATA_DIR of root with another owner than the start gives it, or open to others. */
function strays(directory: string): string[] {
  const ofService = statSync(path.join(directory, 'repositories')).uid;
  const getOwner = (top: string) => {
    if (top === 'postgres') return ORDINARY;
    return ['repositories', 'incoming', 'objects', 'avatars', 'compile-cache'].includes(top) ? ofService : 0;
  };
  const found = allBelow(directory).map((file) => ({ file, stat: statSync(file, { throwIfNoEntry: false }) }));
  return found.flatMap(({ file, stat }) => {
    const top = path.relative(directory, file).split(path.sep)[0] as string;
    // A running database creates and deletes files at any time.
    if (!stat || (stat.uid === getOwner(top) && (stat.mode & 0o077) === 0)) return [];
    return [`${file} ${stat.uid} ${(stat.mode & 0o777).toString(8)}`];
  });
}

test.serial('as root, commands leave every owner and mode as they are where root started the service', async (t) => {
  if (process.getuid?.() !== 0) return t.pass('only root starts processes as other users');
  t.timeout(LAUNCH_MS);
  const env = { DATA_DIR: path.join(installation.directory, 'of-root') };
  const commands = [['list-users'], ['create-token', 'root'], ['reset-password', 'root']];
  let output = '';
  const runAll = async () => {
    for (const args of commands) {
      const { code, stdout, stderr } = await installation.admin(args, env);
      t.is(code, 0, stderr);
      output = stdout;
    }
    t.deepEqual(strays(env.DATA_DIR), []);
    const stranger = await installation.admin(['list-users'], env, { uid: ORDINARY });
    t.is(stranger.code, 1);
    t.regex(stranger.stderr, /^capstan: \S+of-root belongs to uid 0: run this as that user, or as root\.$/m);
  };
  const service = await installation.start(env);
  t.deepEqual(strays(env.DATA_DIR), []);
  await runAll();
  t.is(await service.stop(), 0);
  await runAll();
  const later = await installation.start(env);
  t.is((await signIn(later.url, 'root', passwordIn(output))).status, 200);
  t.is((await later.root.post('/projects', { name: 'After', initialize_with_readme: true })).status, 201);
  t.deepEqual(strays(env.DATA_DIR), []);
  t.is(await later.stop(), 0);
});

test.serial('as root, a command leaves nothing of root in the DATA_DIR of another user', async (t) => {
  if (process.getuid?.() !== 0) return t.pass('only root can be somebody else');
  t.timeout(LAUNCH_MS);
  const above = path.join(installation.directory, 'of-somebody');
  const env = { DATA_DIR: path.join(above, 'data') };
  mkdirSync(above);
  chownSync(above, ORDINARY, ORDINARY);
  chownSync(path.join(installation.checkout), ORDINARY, ORDINARY);
  for (const file of allBelow(path.join(installation.checkout, '.data'))) chownSync(file, ORDINARY, ORDINARY);
  chownSync(path.join(installation.checkout, '.data'), ORDINARY, ORDINARY);
  const service = await installation.start(env, ORDINARY);
  const own = () => installation.admin(['list-users'], env, { uid: ORDINARY });
  t.is((await installation.admin(['reset-password', 'root'], env)).code, 0);
  t.is((await own()).code, 0);
  await service.stop();
  t.is((await own()).code, 0);
  const stranger = await installation.admin(['list-users'], env, { uid: SERVICE });
  t.is(stranger.code, 1);
  t.regex(stranger.stderr, /data belongs to uid 65534: run this as that user, or as root\./);
  const stopped = await installation.admin(['reset-password', 'root'], env);
  t.is(stopped.code, 0, stopped.stderr);
  const ofRoot = [above, ...allBelow(above)].filter((file) => statSync(file).uid !== ORDINARY);
  t.deepEqual(ofRoot, []);
  const later = await installation.start(env, ORDINARY);
  t.is((await signIn(later.url, 'root', passwordIn(stopped.stdout))).status, 200);
  await later.stop();
});

test.serial('what a command cannot do is said in words, with an exit code', async (t) => {
  const service = await startService(t, { workers: 0 });
  const { DATABASE_URL = '', SECRET_KEY_BASE } = service.env;
  const env = { DATABASE_URL, SECRET_KEY_BASE };
  const run = (args: string, more: NodeJS.ProcessEnv = {}, input = '') =>
    installation.admin(args.split(' '), { ...env, ...more }, { input });
  const { id } = (
    await service.root.post('/users', {
      username: 'alice',
      name: '\u001b[2JAlice',
      email: 'alice@example.com',
      password: 'a password for alice',
    })
  ).body as { id: number };
  await service.root.post(`/users/${id}/block`, {});

  const unknown = await run('reset-password alise');
  t.is(unknown.code, 1);
  t.regex(unknown.stderr, /There is no user "alise"\. The nearest usernames: alice, /);
  const blocked = await run('reset-password alice');
  t.is(blocked.code, 0, blocked.stderr);
  t.regex(blocked.stderr, /alice is blocked and stays so/);
  t.is((await service.root.get(`/users/${id}`)).body.state, 'blocked');
  t.false((await run('list-users')).stdout.includes('\u001b'));
  const common = await run('reset-password root --password-stdin', {}, 'password123\n');
  t.is(common.code, 1);
  t.regex(common.stderr, /Password must not contain commonly used|password must not/i);
  const scopes = await run('create-token root --scopes api,all');
  t.is(scopes.code, 1);
  t.regex(scopes.stderr, /--scopes has "all"; there are api, /);
  t.regex((await run('create-token root --expires-in-days 400')).stderr, /a number of days from 1 to 365/);
  const until = await run('create-token root --expires-in-days 7');
  t.regex(until.stderr, /it ends when \d{4}-\d{2}-\d{2} begins, UTC/);

  for (const args of ['dance', 'reset-password', 'reset-password a b', 'list-users --all']) {
    const { code, stderr } = await run(args);
    t.is(code, 64, args);
    t.regex(stderr, /npm run admin -- COMMAND/);
  }
  const keyless = await run('create-token root', { SECRET_KEY_BASE: 'another secret of at least 32 characters, this' });
  t.is(keyless.code, 78);
  t.regex(keyless.stderr, /SECRET_KEY_BASE must be the secret/);
  const nobody = await run('list-users', { DATABASE_URL: 'postgres://u:secret-word@127.0.0.1:9/x' });
  t.is(nobody.code, 1);
  t.regex(nobody.stderr, /^capstan: DATABASE_URL must point at .*; nothing listens at 127\.0\.0\.1:9\.\n$/);
  const wrong = new URL(DATABASE_URL);
  wrong.pathname = '/not-there';
  t.regex((await run('list-users', { DATABASE_URL: wrong.toString() })).stderr, /must name a database that exists/);
  const empty = await run('list-users', { DATABASE_URL: '', DATA_DIR: path.join(installation.directory, 'nowhere') });
  t.regex(empty.stderr, /There is no \S+nowhere: set DATA_DIR/);

  const pool = testPool(DATABASE_URL, 1);
  const { rows } = await pool.query("select 1 from audit_events where event_name = 'user_password_updated'");
  await pool.end();
  t.is(rows.length, 1, 'what failed changed nothing');
});
