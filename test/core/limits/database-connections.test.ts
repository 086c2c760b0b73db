import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { databaseWork } from '../../../shared/core/database/database-work.js';
import { openServices } from '../../../shared/instance/process/services.js';
import { useApp } from '../app.js';
import { adminUrl } from '../databases.js';
import { eventually, startService } from '../processes.js';
import { domains } from '../../../shared/domains.js';
import { sourceFiles } from '../source-files.js';

// A process of its own: starts an API and a worker.

const app = useApp(test);

type Started = Record<string, string>;

const FIRST_SETTING = 8;
const PROTOCOL_3 = 196_608;

/** The settings in a connection's first message; null for other requests, such as a cancellation. */
function getSettings(message: Buffer): Started | null {
  if (message.readInt32BE(4) !== PROTOCOL_3) return null;
  const settings = message.subarray(FIRST_SETTING, message.readInt32BE(0)).toString('utf8').split('\0');
  const pairs = settings.flatMap((word, at) => (at % 2 === 0 && word !== '' ? [[word, settings[at + 1] ?? '']] : []));
  return Object.fromEntries(pairs) as Started;
}

/** A proxy for the tests' server that records the startup settings of each connection. */
async function listenIn(t: ExecutionContext): Promise<{ url: string; startups: Started[] }> {
  const target = new URL(adminUrl());
  const startups: Started[] = [];
  const server = createServer((socket) => {
    const onward = connect(Number(target.port), target.hostname);
    socket.once('data', (message) => {
      const settings = getSettings(message);
      if (settings) startups.push(settings);
    });
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = new URL(app.services.config.databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.toString(), startups };
}

const NAMES = [
  'capstan-api',
  'capstan-api-limits',
  'capstan-listener',
  'capstan-migrate',
  'capstan-queue',
  'capstan-setup',
  'capstan-worker',
];

test('every connection that setting up, an API and a worker make has limits from its first message on', async (t) => {
  const { url, startups } = await listenIn(t);
  const service = await startService(t, { workers: 0, env: { DATABASE_URL: url } });
  await service.startWorker();
  await service.root.put('/application/settings', { throttle_authenticated_api_enabled: true });
  await eventually(async () => {
    await service.root.get('/user');
    const names = new Set(startups.map(({ application_name: name }) => name));
    return NAMES.every((name) => names.has(name));
  });
  for (const settings of startups)
    for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
      t.true(Number(settings[limit]) > 0, `${settings.application_name} has no ${limit}`);
});

test('migrating a new database is limited too, and so is making its queues', async (t) => {
  const { url, startups } = await listenIn(t);
  const name = `capstan_test_limits_${process.pid}`;
  t.teardown(() => app.services.db.pool.query(`drop database if exists ${name} with (force)`));
  await app.services.db.pool.query(`create database ${name} template template0`);
  const fresh = new URL(url);
  fresh.pathname = `/${name}`;
  const setup = fork(path.resolve('dist/shared/setup.js'), {
    env: {
      ...process.env,
      DATABASE_URL: fresh.toString(),
      SECRET_KEY_BASE: 'a secret for tests, of at least 32 characters',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  t.deepEqual(await once(setup, 'exit'), [0, null]);
  const names = new Set(startups.map(({ application_name: application }) => application));
  for (const application of ['capstan-migrate', 'capstan-migrate-queue', 'capstan-migrate-schema'])
    t.true(names.has(application), application);
  for (const settings of startups)
    t.true(Number(settings.statement_timeout) > 0, `${settings.application_name} has no statement_timeout`);
});

test('the server holds a pool to the limits of its kind of work', async (t) => {
  for (const work of [databaseWork.api, databaseWork.worker]) {
    const services = await openServices(domains, app.services.config, 'test', { work, syncSettings: false });
    t.teardown(() => services.close());
    const { rows } = await services.db.pool.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name in
        ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`,
    );
    t.deepEqual(
      rows.map(({ setting }) => Number(setting)),
      [work.idleInTransaction, work.lock, work.statement],
    );
  }
});

const OPENS = /new pg\.(Pool|Client)\(|new PgBoss\(|MikroORM\.init\(/g;

/** Of these four, two receive their connections from their caller: the queue's sender, and the ORM. */
const ALLOWED = { 'shared/instance/pg-boss/queue-client.ts': 1, 'shared/core/database/database.ts': 1 };

test('whatever opens connections in the source names its kind of work', async (t) => {
  for (const name of sourceFiles('shared', 'api', 'workers')) {
    const text = await readFile(name, 'utf8');
    const opened = (text.match(OPENS)?.length ?? 0) - (ALLOWED[name as keyof typeof ALLOWED] ?? 0);
    const limited = text.match(/\.\.\.(sessionLimits\(|limits\b)/g)?.length ?? 0;
    t.true(opened <= limited, `${name} opens connections without sessionLimits`);
  }
});
