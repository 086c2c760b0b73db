import { connect } from 'node:net';
import test from 'ava';
import { get, post, routes } from '../../../api/core/routes.js';
import { optional, text } from '../../../shared/core/operations/fields.js';
import { instance, operation } from '../../../shared/core/operations/operation.js';
import { ITSELF } from '../../../shared/core/database/pool-limit.js';
import { sql } from 'kysely';
import { TestApp, useApp } from '../app.js';
import { eventually } from '../processes.js';
import { locked, slowRoutes, waitingFor, written } from '../limits/slow-statements.js';

/** The signals of requests, by the name each gave itself, as soon as its operation runs. */
const running = new Map<string, PromiseWithResolvers<AbortSignal>>();

function getSignal(name: string): Promise<AbortSignal> {
  const waiter = running.get(name) ?? Promise.withResolvers<AbortSignal>();
  running.set(name, waiter);
  return waiter.promise;
}

const hang = operation({
  name: 'hang',
  resource: instance,
  authentication: 'open',
  kind: 'read',
  scopes: ['api', 'read_api'],
  summary: 'Wait until the client is gone',
  params: { name: text(), at_once: optional(text()) },
  async run(ctx, _instance, input) {
    void getSignal(input.name);
    running.get(input.name)?.resolve(ctx.signal);
    if (input.at_once === undefined) await untilAborted(ctx.signal);
    return {};
  },
});

/** So long that only a cancellation can be what ends a statement. */
const HOUR = 3_600_000;

const app = useApp(test, [...routes('', [get('/hang', hang), post('/hang', hang)]), ...slowRoutes], {
  work: { statement: HOUR, lock: HOUR },
});
/** Watches: its connections are not the app's. */
const beside = new TestApp([], { beside: app });
/** One connection for all. */
const single = new TestApp(slowRoutes, { beside: app, poolSize: 1 });

test.serial.before('start the others', async () => {
  await beside.start();
  await single.start();
});
test.serial.after.always('stop the others', async () => {
  await single.stop();
  await beside.stop();
});

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Writes requests to one connection, which is closed once all named requests are running. */
async function sendAndGo(requests: string, names: readonly string[]): Promise<AbortSignal[]> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname, () => socket.write(requests));
  const signals = await Promise.all(names.map(getSignal));
  for (const { aborted } of signals) if (aborted) throw new Error('The client was still there.');
  socket.destroy();
  return signals;
}

const getOf = (name: string) => `GET /api/v4/hang?name=${name} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('the signal of a request ends with its client', async (t) => {
  for (const signal of await sendAndGo(getOf('get'), ['get'])) await untilAborted(signal);
  const body = 'name=post';
  const form = 'Content-Type: application/x-www-form-urlencoded';
  const request = `POST /api/v4/hang HTTP/1.1\r\nHost: x\r\n${form}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  for (const signal of await sendAndGo(request, ['post'])) await untilAborted(signal);
  t.pass();
});

test('requests that wait behind another one on their connection end with it', async (t) => {
  const names = ['first', 'second', 'third'];
  const signals = await sendAndGo(names.map(getOf).join(''), names);
  await Promise.all(signals.map(untilAborted));
  t.pass();
});

test('the signal of a request that was answered stays as it is', async (t) => {
  const { status } = await app.anonymous.get('/hang?name=answered&at_once=yes');
  t.is(status, 200);
  await sendAndGo(getOf('another'), ['another']);
  t.false((await getSignal('answered')).aborted);
});

test('a context of no request and of no job has a signal that never ends', (t) => {
  t.false(app.context().signal.aborted);
});

/** Sends a request whose client disconnects once `meanwhile` is done. */
async function abandon(base: string, request: string, meanwhile: () => Promise<unknown>): Promise<void> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname, () => socket.write(request));
  await meanwhile();
  socket.destroy();
}

const slowGet = (name: string) => `GET /api/v4/wait-twice?name=${name} HTTP/1.1\r\nHost: x\r\n\r\n`;

function getPost(path: string, body: unknown): string {
  const text = JSON.stringify(body);
  const headers = `Host: x\r\nContent-Type: application/json\r\nContent-Length: ${text.length}`;
  return `POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n${text}`;
}

test.serial('a statement is cancelled with its client, and what was to follow it never runs', async (t) => {
  await locked(beside, 'gone', async () => {
    await abandon(app.url, slowGet('gone'), () => waitingFor(beside, 1));
    await waitingFor(beside, 0);
  });
  t.is((await app.anonymous.get('/wait-twice?name=gone')).status, 200);
});

test.serial('over GraphQL a statement is cancelled with its client as well', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const query = `{ project(fullPath: "${project.full_path}") { name } }`;
  const ctx = beside.context();
  await ctx.transaction(async () => {
    await ctx.query(sql`lock table projects in access exclusive mode`);
    await abandon(app.url, getPost('/api/graphql', { query }), () => waitingFor(beside, 1));
    await waitingFor(beside, 0);
  });
  t.is((await app.anonymous.graphql(query)).body.data.project.name, project.name);
});

test.serial('what waits for a connection is dropped with its client', async (t) => {
  const { db } = single.services;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const holder = db.withSlot(ITSELF, () => held);
  const waiters = (count: number) => eventually(() => Promise.resolve(db.waiting === count));
  await abandon(single.url, getPost('/api/v4/write-and-wait', { name: 'queued' }), () => waiters(1));
  await waiters(0);
  letGo();
  await holder;
  t.is((await single.anonymous.post('/write-and-wait', { name: 'after' })).status, 200);
  t.false(await written(beside, 'queued'));
});

test.serial('a write that was begun goes on without its client', async (t) => {
  await locked(beside, 'kept', () =>
    abandon(app.url, getPost('/api/v4/write-and-wait', { name: 'kept' }), () => waitingFor(beside, 1)),
  );
  t.true(await eventually(() => written(beside, 'kept')));
});

test.serial('many clients that leave at once leave no statement behind, and connections that work', async (t) => {
  await locked(beside, 'crowd', async () => {
    const { hostname, port } = new URL(app.url);
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(Number(port), hostname, () => socket.write(slowGet('crowd')));
      return socket;
    });
    await waitingFor(beside, 5);
    for (const socket of sockets) socket.destroy();
    await waitingFor(beside, 0);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => app.anonymous.get(`/wait-twice?name=fine${index}`)),
    );
    t.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  });
});
