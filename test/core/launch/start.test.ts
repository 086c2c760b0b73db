import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { userInfo } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import test from 'ava';
import { plainLine } from '../../../shared/core/log/plain-log.js';
import { freePorts, Installation, LAUNCH_MS } from './installation.js';
import type { Started } from './installation.js';
import { cloneDatabase, testPool } from '../databases.js';
import { eventually, ROOT_TOKEN } from '../processes.js';
import { Client } from '../client.js';

// A process of its own: starts the whole service, again and again.

const installation = new Installation();
const other = new Installation();
const dataDir = path.join(installation.directory, 'data');

test.after.always('remove the installations', () => Promise.all([installation.remove(), other.remove()]));

const me = `user ${userInfo().username}`;

/** The process that listens here, if the system reports it. */
const by = (server: Server) =>
  process.platform === 'linux' && server.listening ? ` \\(.*, pid ${process.pid}, ${me}, since \\d{4}-\\S+\\)` : '';

/** Starts what cannot start. */
async function startFailing(env: NodeJS.ProcessEnv, at = installation) {
  const started = at.begin({ PORT: '0', DATA_DIR: dataDir, ...env });
  return { code: await started.exitCode(), said: started.said };
}

test.serial('what cannot work is told before anything is made, in words with the setting to change', async (t) => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const file = path.join(installation.directory, 'a-file');
  writeFileSync(file, '');
  const cases: [NodeJS.ProcessEnv, RegExp][] = [
    [
      { PORT: String(port) },
      new RegExp(
        `^capstan: HOST and PORT must be free .*:${port} is in use by another program${by(listener)}: set PORT`,
        'm',
      ),
    ],
    [{ HOST: '192.0.2.1' }, /^capstan: HOST and PORT .* is not of this machine\.$/m],
    [
      { EXTERNAL_URL: 'https://example.com/capstan' },
      /^capstan: EXTERNAL_URL must be the http or https URL that clients use, without path and query; it is "https:\/\/example\.com\/capstan"\.$/m,
    ],
    [{ PORT: 'http' }, /^capstan: PORT must be a port number from 0 to 65535 .*; it is "http"\.$/m],
    [{ LOG_LEVEL: 'loud', API_VERSION: '18' }, /^capstan: LOG_LEVEL must be .*\ncapstan: API_VERSION must be /m],
    [{ DATABASE_URL: 'mysql://x' }, /^capstan: DATABASE_URL must be .*\ncapstan: SECRET_KEY_BASE must be set when/m],
    [{ DATA_DIR: file }, /^capstan: DATA_DIR must be a directory .*; \S+a-file is no directory\.$/m],
    [{ DATA_DIR: path.join(file, 'below') }, /^capstan: DATA_DIR must be a directory /m],
  ];
  for (const [env, pattern] of cases) {
    const { code, said } = await startFailing(env);
    t.is(code, 78, said);
    t.regex(said, pattern);
    t.notRegex(said, /^ {4}at /m, 'no stack');
    t.notRegex(said, /mysql:\/\/x/);
  }
  listener.close();
  t.false(existsSync(dataDir), 'nothing was made');
});

test.serial('a database that cannot be reached is told in words, without a stack or the password', async (t) => {
  const secret = { SECRET_KEY_BASE: 'a secret for tests, of at least 32 characters' };
  const gone = await startFailing({ ...secret, DATABASE_URL: 'postgres://u:word-of-u@127.0.0.1:9/x' });
  t.is(gone.code, 1);
  t.regex(gone.said, /^capstan: DATABASE_URL must point at .*; nothing listens at 127\.0\.0\.1:9\.$/m);
  const url = new URL(process.env.CAPSTAN_TEST_DATABASE_URL as string);
  url.password = 'word-of-u';
  const wrong = await startFailing({ ...secret, DATABASE_URL: url.toString() });
  t.regex(wrong.said, /^capstan: DATABASE_URL must hold the right user and password/m);
  t.notRegex(gone.said + wrong.said, /word-of-u|^ {4}at /m);
});

test.serial(
  'the secrets of the first start stand last; misspelt settings are named; version and commit are known',
  async (t) => {
    t.timeout(LAUNCH_MS);
    const commit = '0123456789abcdef0123456789abcdef01234567';
    mkdirSync(path.join(installation.checkout, '.git'));
    writeFileSync(path.join(installation.checkout, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(path.join(installation.checkout, '.git', 'packed-refs'), `# pack-refs\n${commit} refs/heads/main\n`);
    const misspelt = { CAPSTAN_PROT: '1', DATABSE_URL: 'x', SECRET_KEY_BSE: 'x', CAPSTAN_COLOUR: 'x', WORKRES: '3' };
    const others = { HOSTNAME: 'x', PORTS: '1', POSTGRES_URL: 'x', LOGLEVELS: 'x' };
    const first = await installation
      .begin({ PORT: '0', DATA_DIR: dataDir, INITIAL_ROOT_TOKEN: ROOT_TOKEN, ...misspelt, ...others })
      .ready();
    t.regex(first.said, /^capstan: CAPSTAN_PROT is not a setting; did you mean PORT\?$/m);
    t.regex(first.said, /^capstan: DATABSE_URL is not a setting; did you mean DATABASE_URL\?$/m);
    t.regex(first.said, /^capstan: SECRET_KEY_BSE is not a setting; did you mean SECRET_KEY_BASE\?$/m);
    t.regex(first.said, /^capstan: WORKRES is not a setting; did you mean WORKERS\?$/m);
    t.regex(first.said, /^capstan: CAPSTAN_COLOUR is not a setting; \/help\/configuration lists them\.$/m);
    t.notRegex(first.said, /HOSTNAME|PORTS|POSTGRES_URL/);
    const log = first.said.split('\n').find((line) => line.includes('"msg":"listening"')) as string;
    t.like(JSON.parse(log), { revision: commit.slice(0, 11) });
    const client = new Client(first.url, { 'PRIVATE-TOKEN': ROOT_TOKEN });
    const { body } = await client.get('/version');
    t.is(body.revision, commit.slice(0, 11));
    t.is(body.service.version, JSON.parse(log).version);

    const second = await startFailing({}, other);
    t.is(second.code, 1);
    const whose = `^Capstan is already running at ${first.url} \\(pid ${first.process.pid}, ${me}, since \\d{4}-\\S+\\)`;
    const pattern = new RegExp(`${whose}, with this DATA_DIR \\(${dataDir}\\): set DATA_DIR to another directory`, 'm');
    t.regex(second.said, pattern);
    t.regex((await startFailing({})).said, pattern);
    const { port } = new URL(first.url);
    const samePort = await startFailing({ PORT: port, DATA_DIR: path.join(installation.directory, 'data-2') });
    t.is(samePort.code, 78, "a port that the system chose is nobody's claim, and in use");
    t.regex(samePort.said, /in use by another program/);
    const beside = await other.start({ DATA_DIR: path.join(other.directory, 'data') });
    t.not(beside.url, first.url, 'two installations run side by side');
    await beside.stop();
    t.is(await first.stop(), 0);
    const [ready, password] = ['Capstan is ready at', '  Password: '].map((prefix) => first.said.indexOf(prefix));
    // Each of them ran once by now, with nothing to do.
    t.notRegex(first.said, /"job":"(objects|queue_jobs|repositories|user_sessions|project_mirrors)\./, 'idle is quiet');
    t.true((ready as number) > first.said.indexOf('"msg":"listening"'), 'below the log');
    t.true((password as number) > (ready as number), 'last of all');
    t.regex(first.said, /\n\n─+\n(?: {2}.*\n)+─+\n/, 'and set apart');
  },
);

test.serial('what was made at the first start is shown again on request, until the password is changed', async (t) => {
  t.timeout(LAUNCH_MS);
  const env = { DATA_DIR: path.join(installation.directory, 'shown-again') };
  // A terminal, or a log, that swallows everything.
  const swallowed = installation.begin({ PORT: '0', ...env }, undefined, {
    through: ['sh', '-c', 'exec "$@" >/dev/full', 'sh'],
  });
  const credentials = await eventually(async () => {
    const output = await installation.admin(['show-initial-credentials'], env);
    return output.code === 0 && output.stdout;
  });
  const token = /^Access token \(all scopes\): {2}(pat-\S+)$/m.exec(credentials)?.[1] as string;
  const password = /^Password: +(\S{15,})$/m.exec(credentials)?.[1] as string;
  t.is(await swallowed.stop(), 0, 'it goes on without its log');

  const again = await installation.begin({ PORT: '0', ...env }).ready();
  await eventually(() => Promise.resolve(again.said.includes(password)));
  t.true(again.said.includes(token));
  const root = new Client(again.url, { 'PRIVATE-TOKEN': token });
  t.is((await root.get('/user')).body.username, 'root');
  const changed = await root.put('/users/1', { password: 'another password of root' });
  t.is(changed.status, 200, changed.text);
  const gone = await installation.admin(['show-initial-credentials'], env);
  t.is(gone.code, 1);
  t.regex(gone.stderr, /not kept any more: .*reset-password root, create-token root\.$/m);
  t.is(await again.stop(), 0);
  const later = await installation.start(env);
  t.notRegex(later.said, /Password:|pat-/);
  t.is(await later.stop(), 0);
});

test.serial('every way to start and every command refuse a schema that is too new for them', async (t) => {
  t.timeout(LAUNCH_MS);
  const database = await cloneDatabase();
  const pool = testPool(database.url, 1);
  t.teardown(async () => {
    await pool.end();
    await database.drop();
  });
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY_BASE: 'a secret for tests, of at least 32 characters',
    DATA_DIR: path.join(installation.directory, 'too-new'),
  };
  await pool.query("update instance_schema set release = '99.1.0', oldest_compatible_release = '99.0.0'");
  const pattern =
    /^capstan: The database was brought up to date by Capstan 99\.1\.0 and serves 99\.0\.0 or newer; this is Capstan \d/m;
  for (const mode of [[], ['api'], ['workers']]) {
    const started = installation.begin({ PORT: '0', ...env }, undefined, { args: mode });
    t.is(await started.exitCode(), 78, started.said);
    t.regex(started.said, pattern, mode.join());
  }
  for (const script of ['admin', 'repair']) {
    const command = installation.begin(env, undefined, {
      script,
      args: script === 'admin' ? ['list-users'] : ['repositories'],
    });
    t.is(await command.exitCode(), 78, command.said);
    t.regex(command.said, pattern, script);
  }
});

test.serial('repositories that are missing are told when the service is ready', async (t) => {
  t.timeout(LAUNCH_MS);
  const database = await cloneDatabase();
  t.teardown(() => database.drop());
  const env = { DATABASE_URL: database.url, SECRET_KEY_BASE: 'a secret for tests, of at least 32 characters' };
  const filled = path.join(installation.directory, 'filled');
  const first = await installation.start({ ...env, DATA_DIR: filled });
  t.is((await first.root.post('/projects', { name: 'Kept', initialize_with_readme: true })).status, 201);
  await first.stop();
  const empty = path.join(installation.directory, 'empty');
  const second = await installation.start({ ...env, DATA_DIR: empty });
  const message = `Repositories are missing: the database knows 1, and of 1 that were looked for 1 are not in ${empty}/repositories.`;
  await eventually(() => Promise.resolve(second.said.includes(message)));
  await second.stop();
  const third = await installation.start({ ...env, DATA_DIR: filled });
  t.notRegex(third.said, /missing/);
  await third.stop();
});

test('on a terminal the log is lines to read, in which nothing can move the cursor', (t) => {
  const time = '2026-11-22T09:30:00.123Z';
  const plain = (logged: object) => plainLine(`${JSON.stringify(logged)}\n`, false);
  const logged = { level: 30, time, role: 'api', pid: 7, path: '/x\u001b[2J y', status: 200, msg: 'told' };
  t.is(plain(logged), '09:30:00.123 info  api    told path="/x\\u001b[2J y" status=200\n');
  const failed = {
    level: 50,
    time,
    role: 'worker',
    pid: 7,
    msg: 'job',
    err: { message: 'no', stack: 'Error: no\n    at x' },
  };
  t.is(plain(failed), '09:30:00.123 error worker job\n  Error: no\n      at x\n');
  t.is(plainLine('no JSON\n', false), 'no JSON\n');
  const answered = { method: 'GET', path: '/api/v4/user', route: '/api/v4/user', status: 200, seconds: 0.0123 };
  const request = { level: 30, time, role: 'api', pid: 7, ...answered, ip: '::1', correlation_id: 'x', msg: 'request' };
  t.is(plain(request), '09:30:00.123 info  api    GET /api/v4/user 200 in 12 ms\n');
  t.is(plain({ ...request, status: 404 }), '09:30:00.123 info  api    GET /api/v4/user 404 in 12 ms x\n');
  const coloured = plainLine(JSON.stringify(request), true);
  t.true(coloured.includes('\u001b[32minfo '), coloured);
  t.is(stripVTControlCharacters(coloured), plain(request));
});

test('a terminal gets colours unless NO_COLOR is set, and a pipe JSON', (t) => {
  const code = "(await import('./dist/shared/core/log/log.js')).createLogger('info', 'api').info('hello')";
  const node = `'${process.execPath}' --input-type=module -e "${code}"`;
  const run = (command: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
    spawnSync(command, args, {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, TERM: 'xterm-256color', ...env },
      timeout: 60_000,
    });
  const piped = run('sh', ['-c', node]);
  t.like(JSON.parse(piped.stdout), { msg: 'hello', role: 'api' });
  const inTerminal = (env?: NodeJS.ProcessEnv) => run('script', ['-qec', node, '/dev/null'], env);
  const outcome = inTerminal();
  if (outcome.error || outcome.status !== 0) return t.log('there is no program "script" to make a terminal with');
  t.true(outcome.stdout.includes('\u001b[32minfo '), outcome.stdout);
  t.regex(inTerminal({ NO_COLOR: '1' }).stdout, /^\d\d:\d\d:\d\d\.\d{3} info {2}api {4}hello\s*$/);
});

test.serial('one checkout runs two services at once, each with a DATA_DIR and a port of its own', async (t) => {
  const own = new Installation();
  t.teardown(() => own.remove());
  const [one, two, three] = ['one', 'two', 'three'].map((name) => path.join(own.directory, name)) as [
    string,
    string,
    string,
  ];
  const [port, otherPort] = (await freePorts(2)) as [number, number];
  t.timeout(LAUNCH_MS);
  // Something to prepare: one builds, the other waits.
  rmSync(path.join(own.checkout, 'dist', '.built-web'));
  const starting = [
    own.start({ DATA_DIR: one, PORT: String(port) }),
    own.start({ DATA_DIR: two, PORT: String(otherPort) }),
  ];
  const [first, second] = (await Promise.all(starting)) as [Started, Started];
  t.regex(first.said + second.said, /Waiting for another install or build in this checkout/);
  for (const service of [first, second]) t.is((await service.root.get('/user')).body.username, 'root');
  const portConflict = await startFailing({ DATA_DIR: three, PORT: String(port) }, own);
  t.is(portConflict.code, 1);
  const whose = `^Capstan is already running at ${first.url} \\(pid ${first.process.pid}, ${me}, since \\d{4}-\\S+\\)`;
  t.regex(
    portConflict.said,
    new RegExp(`${whose}, with this port \\(127.0.0.1:${port}\\): set PORT to another port`, 'm'),
  );
  t.false(existsSync(three), 'nothing was made');
  t.is(await first.stop(), 0);
  t.is((await second.root.get('/user')).status, 200, 'the other goes on');
  t.is(await second.stop(), 0);
});
