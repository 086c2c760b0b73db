import test from 'ava';
import { databaseWork } from '../../../shared/core/database/database-work.js';
import { Listener } from '../../../shared/core/database/listener.js';
import { Numbers } from '../../../shared/core/database/numbers.js';
import { NoConnection } from '../../../shared/core/values/errors.js';
import { sql } from 'kysely';
import { openWorkerQueue } from '../../../shared/instance/pg-boss/queue-client.js';
import { TestApp, useApp } from '../app.js';
import { eventually } from '../processes.js';
import { slowRoutes } from '../limits/slow-statements.js';
import { LossyProxy } from './lossy-proxy.js';
import { lastSteps, writeAndReadOf, writeAndReadRoutes } from './write-and-read.js';

const proxy = new LossyProxy();
/** Called once an issue is made. */
let commits: () => void = () => undefined;
const app = useApp(test, [...slowRoutes, ...writeAndReadRoutes], {
  databaseUrl: (url) => proxy.before(url),
  poolSize: 4,
  connections: { connectMs: 2_000, answerMarginMs: 500, committedMs: 1_000 },
  subscribers: [
    {
      name: 'after the commit',
      types: ['issue.created'],
      handle: (recorded) => {
        recorded[0]?.ctx.afterCommit(commits);
        commits = () => undefined;
        return Promise.resolve();
      },
    },
  ],
  work: { statement: 1_000, acquireTimeout: 1_000, callerShare: 1 },
});
/** Reaches the same database by another way. */
let beside: TestApp;
test.serial.before('start the other', async () => {
  beside = new TestApp([], { beside: app, databaseUrl: () => Promise.resolve(proxy.direct) });
  await beside.start();
});
test.serial.after.always('end the proxy', async () => {
  await beside.stop();
  await proxy.close();
});

// Contract: outages-2.requests
test.serial('requests whose packets are lost are answered 503, and others once packets arrive', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const query = `{ project(fullPath: "${project.full_path}") { name } }`;
  t.is((await app.anonymous.graphql(query)).body.data.project.name, project.name);
  proxy.swallow();
  for (let time = 0; time < 2; time += 1) {
    const answers = await Promise.all([
      app.anonymous.get('/wait-twice?name=lost'),
      app.anonymous.post('/write-and-wait', { name: `lost ${time}` }),
      app.anonymous.get('/projects'),
      app.anonymous.graphql(query),
      app.as(project.owner).get('/user'),
      app.as(project.owner).post(`/projects/${project.id}/issues`, { title: 'x' }),
    ]);
    for (const { status, headers, text } of answers) {
      t.is(status, 503, text);
      t.is(headers.get('retry-after'), '1');
    }
  }
  const ready = await eventually(async () => {
    const answer = await app.anonymous.raw('GET', '/-/readiness');
    return answer.status === 503 && answer;
  });
  t.is(ready.body.db_check[0].message, 'The database did not answer.');
  await proxy.restore();
  await eventually(async () => (await app.anonymous.get('/wait-twice?name=found')).status === 200);
  t.is((await app.anonymous.post('/write-and-wait', { name: 'found' })).status, 200);
  await eventually(async () => (await app.anonymous.raw('GET', '/-/readiness')).status === 200);
});

// Contract: outages-2.listener
test.serial('a listener whose packets are lost listens anew', async (t) => {
  const heard: string[] = [];
  let begun = 0;
  const listener = new Listener({
    url: app.services.config.databaseUrl,
    channel: 'lost_packets',
    log: app.services.log,
    reconnectMs: 20,
    beatMs: 50,
    answerMs: 50,
    onNotification: (payload) => heard.push(payload),
    onConnected: () => {
      begun += 1;
    },
  });
  t.teardown(() => listener.stop());
  let lost = 0;
  await listener.start();
  await eventually(() => Promise.resolve(begun === 1));
  proxy.swallow();
  const notify = () =>
    app.services.db.query(sql`select pg_notify('lost_packets', 'heard')`).catch(() => {
      lost += 1;
      return [];
    });
  await notify();
  t.is(lost, 1);
  // It notices by itself: a new connection also gets no response until packets arrive again.
  await proxy.restore();
  await eventually(() => Promise.resolve(begun > 1));
  await eventually(async () => (await notify()) && heard.length > 0);
  t.is(heard[0], 'heard');
});

// Contract: outages-2.listener
test.serial('a listener on a connection that is silent, and stays open, gives it up by itself', async (t) => {
  let lost: () => void = () => undefined;
  const loss = new Promise<void>((resolve) => (lost = resolve));
  const listener = new Listener({
    url: app.services.config.databaseUrl,
    channel: 'lost_packets',
    log: app.services.log,
    beatMs: 50,
    answerMs: 50,
    onNotification: () => undefined,
    onConnected: () => proxy.swallow(),
    onLost: () => lost(),
  });
  await listener.start();
  await loss;
  await listener.stop();
  await proxy.restore();
  t.pass();
});

// Contract: outages-2.others
test.serial('numbers and the queue of a worker fail where packets are lost, and work again afterwards', async (t) => {
  const url = app.services.config.databaseUrl;
  await eventually(async () => (await app.anonymous.get('/projects')).status === 200);
  const project = await app.build.project();
  const numbers = new Numbers({ url, applicationName: 'numbers', log: app.services.log });
  const work = { ...databaseWork.queue, statement: 300 };
  const errors: Error[] = [];
  const boss = await openWorkerQueue(url, (error) => errors.push(error), { work, answerMarginMs: 100, connectMs: 200 });
  t.teardown(async () => {
    await proxy.restore();
    await numbers.close();
    await boss.stop({ graceful: false, close: true });
  });
  const queue = (await boss.getQueues())[0]!.name;
  t.is(await numbers.take(project.id, 'issues'), 1);
  proxy.swallow();
  await t.throwsAsync(() => numbers.take(project.id, 'issues'), { instanceOf: NoConnection });
  await t.throwsAsync(() => boss.fetch(queue), { message: /timeout/ });
  await proxy.restore();
  t.true(((await eventually(() => numbers.take(project.id, 'issues').catch(() => null))) ?? 0) > 1);
  await eventually(() =>
    boss.fetch(queue).then(
      () => true,
      () => false,
    ),
  );
});

// Contract: outages-3.lost
test.serial('an answer that cannot be read again says that the change was made, and by what name', async (t) => {
  await eventually(async () => (await app.anonymous.get('/projects')).status === 200);
  const lose = () => {
    proxy.swallow();
    return Promise.resolve();
  };
  const { status, body, headers, rows } = await writeAndReadOf(app, beside, 'away', lose);
  await proxy.restore();
  t.is(status, 201);
  t.is(body.id, 7);
  t.regex(body.message, /The change was made/);
  t.is(headers.get('retry-after'), null);
  t.is(rows, 1);
});

// Contract: outages-3.lost
test.serial('a mutation whose answer cannot be read again is not told to come back', async (t) => {
  const project = await app.build.project();
  await eventually(async () => (await app.as(project.owner).get('/user')).status === 200);
  const query = `mutation { createIssue(input: { projectPath: "${project.full_path}", title: "x" }) {
    errors issue { iid labels { nodes { title } } } } }`;
  commits = () => proxy.swallow();
  const { status, body, headers, text } = await app.as(project.owner).graphql(query);
  await proxy.restore();
  t.is(status, 200, text);
  t.is(headers.get('retry-after'), null);
  t.regex(body.errors[0].message, /look whether the change was made before you repeat it/);
  const rows = await beside.services.db.query(sql`select 1 from issues i where i.project_id = ${project.id}`);
  t.is(rows.length, 1);
});

// Contract: outages-3.lost
test.serial('a commit whose answer is lost is 503 without Retry-After', async (t) => {
  await eventually(async () => (await app.anonymous.get('/projects')).status === 200);
  lastSteps.set('unknown', () => proxy.swallow());
  const { status, body, headers } = await app.anonymous.post('/write-and-read', { name: 'unknown' });
  await proxy.restore();
  t.is(status, 503);
  t.regex(body.message, /The change may have been made/);
  t.is(headers.get('retry-after'), null);
});
