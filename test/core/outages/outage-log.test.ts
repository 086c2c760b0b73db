import { connect } from 'node:net';
import test from 'ava';
import { createLogger } from '../../../shared/core/log/log.js';
import { sql } from 'kysely';
import { openWorkerQueue } from '../../../shared/instance/pg-boss/queue-client.js';
import { TestApp, useApp } from '../app.js';
import { eventually } from '../processes.js';
import { slowRoutes, locked, waitingFor } from '../limits/slow-statements.js';
import { LossyProxy } from './lossy-proxy.js';

interface Line {
  level: number;
  msg: string;
  outage?: string;
  path?: string;
  status?: number;
  failures?: number;
  err?: { type: string };
}

const [DEBUG, INFO, WARN] = [20, 30, 40];
const lines: Line[] = [];
const log = createLogger('debug', 'test', {
  output: { write: (line: string) => void lines.push(JSON.parse(line) as Line) },
  quietMs: 200,
});
const proxy = new LossyProxy();
const app = useApp(test, slowRoutes, { log, databaseUrl: (url) => proxy.before(url), work: { acquireTimeout: 1_000 } });
let beside: TestApp;
test.serial.before('start the other', async () => {
  beside = new TestApp([], { beside: app, databaseUrl: () => Promise.resolve(proxy.direct) });
  await beside.start();
});
test.serial.after.always('stop the other', async () => {
  await beside.stop();
  await proxy.close();
});
test.serial.beforeEach('forget earlier lines', () => {
  lines.length = 0;
});

/** Log lines that require action by an operator. */
const loud = () => lines.filter(({ level }) => level >= WARN);

// Contract: outages-4.once
test.serial('an outage of the database is a line when it begins and one when it is over', async (t) => {
  const url = app.services.config.databaseUrl;
  const boss = await openWorkerQueue(url, (error) => log.error({ err: error }, 'queue error'));
  const [queue] = await boss.getQueues();
  await boss.work(queue!.name, { pollingIntervalSeconds: 0.5 }, () => Promise.resolve());
  app.changes.start();
  await eventually(() => Promise.resolve(app.changes.hearing));
  const user = await app.build.user();
  lines.length = 0;
  t.teardown(() => proxy.restore());
  await proxy.reject();
  for (let count = 0; count < 20; count += 1) {
    t.is((await app.anonymous.get('/projects')).status, 503);
    t.is((await app.as(user).graphql('{ currentUser { id } }')).status, 503);
    t.is((await app.anonymous.raw('GET', '/-/readiness?all=1')).status, 503);
  }
  await eventually(() => Promise.resolve(lines.some(({ msg }) => msg === 'queue error')));
  t.deepEqual(
    loud().map(({ msg, outage }) => [msg, outage]),
    [['the database does not answer', 'database']],
  );
  await proxy.restore();
  await eventually(async () => {
    await app.anonymous.get('/projects');
    return lines.some(({ msg }) => msg === 'the database answers again');
  });
  await boss.stop({ graceful: false, close: true });
  t.is(loud().length, 1);
  const over = lines.filter(({ msg }) => msg === 'the database answers again');
  t.is(over.length, 1);
  t.is(over[0]!.level, INFO);
  t.true(over[0]!.failures! > 20);
});

// Contract: outages-4.once
test.serial('requests that find no connection for others are one line, too', async (t) => {
  await eventually(async () => (await app.anonymous.get('/projects')).status === 200);
  const narrow = new TestApp([], { beside: app, log, poolSize: 4, work: { acquireTimeout: 200 } });
  await narrow.start();
  t.teardown(() => narrow.stop());
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const holders = Array.from({ length: 4 }, () => narrow.services.db.withSlot({ caller: null }, () => held));
  lines.length = 0;
  for (let count = 0; count < 5; count += 1) t.is((await narrow.anonymous.get('/projects')).status, 503);
  t.false(lines.some(({ msg }) => msg === 'connections to the database are free again'));
  letGo();
  await Promise.all(holders);
  await eventually(async () => {
    t.is((await narrow.anonymous.get('/projects')).status, 200);
    return lines.some(({ msg }) => msg === 'connections to the database are free again');
  });
  t.deepEqual(
    loud().map(({ msg }) => msg),
    ['all connections to the database are taken'],
  );
});

// Contract: outages-4.probes
test.serial('probes are no lines, but where one answers something else than before', async (t) => {
  const own = new TestApp([], { beside: app, log });
  await own.start();
  t.teardown(() => own.stop());
  await eventually(async () => (await own.anonymous.raw('GET', '/-/readiness')).status === 200);
  lines.length = 0;
  const probe = (path: string) => own.anonymous.raw('GET', path);
  const requestLines = () =>
    lines.filter(({ level, msg }) => msg === 'request' && level >= INFO).map(({ path, status }) => [path, status]);
  for (let count = 0; count < 3; count += 1)
    for (const path of ['/-/health', '/-/liveness', '/-/readiness', '/-/metrics']) await probe(path);
  t.deepEqual(requestLines(), []);
  t.true(lines.some(({ level, path }) => level === DEBUG && path === '/-/health'));
  for (let count = 0; count < 3; count += 1) await probe('/-/readiness?all=1');
  t.deepEqual(requestLines(), [['/-/readiness', 503]]);
  await eventually(async () => (await probe('/-/readiness')).status === 200);
  for (let count = 0; count < 3; count += 1) await probe('/-/readiness');
  t.deepEqual(requestLines(), [
    ['/-/readiness', 503],
    ['/-/readiness', 200],
  ]);
  await probe('/api/v4/projects');
  t.deepEqual(requestLines().at(-1), ['/api/v4/projects', 200], 'other requests are lines');
});

// Contract: outages-4.clients
test.serial('a client that went away is nothing to act on', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const query = `{ project(fullPath: "${project.full_path}") { issues { nodes { title } } } }`;
  const ctx = beside.context();
  await ctx.transaction(async () => {
    await ctx.query(sql`lock table issues in access exclusive mode`);
    const leaving = new AbortController();
    const sent = [
      fetch(`${app.url}/api/v4/projects/${project.id}/issues`, { signal: leaving.signal }),
      fetch(`${app.url}/api/graphql?query=${encodeURIComponent(query)}`, { signal: leaving.signal }),
    ].map((answer) => answer.catch(() => undefined));
    await waitingFor(beside, 2);
    leaving.abort();
    await Promise.all(sent);
    await waitingFor(beside, 0);
  });
  // One client disconnects while its body is awaited, one in the middle of a response, and one sends a push with an
  // invalid body.
  const { port } = new URL(app.url);
  const head = 'HTTP/1.1\r\nHost: capstan.test\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
  for (const first of [
    `POST /api/v4/projects ${head}`,
    `GET /api/v4/projects HTTP/1.1\r\nHost: capstan.test\r\n\r\n`,
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(first, () => socket.resetAndDestroy());
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
  }
  await locked(beside, 'nobody', () => Promise.resolve());
  await eventually(() => Promise.resolve(lines.filter(({ msg }) => msg === 'request').length >= 2));
  t.deepEqual(loud(), []);
});
