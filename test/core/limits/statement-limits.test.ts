import test from 'ava';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import { databaseWork } from '../../../shared/core/database/database-work.js';
import { Database } from '../../../shared/core/database/database.js';
import { NoConnection } from '../../../shared/core/values/errors.js';
import { ITSELF } from '../../../shared/core/database/pool-limit.js';
import { sql } from 'kysely';
import { TestApp, useApp } from '../app.js';
import { fileAt, publish } from '../../packages/packages/publish.js';
import { locked, slowRoutes, waitingFor, written } from './slow-statements.js';
import { queryOne } from '../query-one.js';

const app = useApp(test, slowRoutes, { work: { statement: 300 } });
/** Watches, with time enough. */
const beside = new TestApp([], { beside: app });
/** Four connections; requests fail instead of waiting for one. */
const narrow = new TestApp(slowRoutes, { beside: app, poolSize: 4, work: { acquireTimeout: 50 } });

test.serial.before('start the others', async () => {
  await beside.start();
  await narrow.start();
});
test.serial.after.always('stop the others', async () => {
  await narrow.stop();
  await beside.stop();
});

const BUSY = { message: '503 Service Unavailable' };

test.serial('a read whose statement takes too long is ended and answered 503', async (t) => {
  await locked(beside, 'read', async () => {
    const { status, body, headers } = await app.anonymous.get('/wait-twice?name=read');
    t.is(status, 503);
    t.deepEqual(body, BUSY);
    t.is(headers.get('retry-after'), '10');
  });
  t.is((await app.anonymous.get('/wait-twice?name=read')).status, 200);
});

test.serial('a write whose statement takes too long is undone and answered 503', async (t) => {
  await locked(beside, 'write', async () => {
    const { status, body, headers } = await app.anonymous.post('/write-and-wait', { name: 'write' });
    t.is(status, 503);
    t.deepEqual(body, BUSY);
    t.is(headers.get('retry-after'), '10');
  });
  t.false(await written(beside, 'write'));
});

// Contract: graphql-1.2.8
test.serial('over GraphQL a statement that takes too long ends the whole request: 503', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const ctx = beside.context();
  await ctx.transaction(async () => {
    await ctx.query(sql`lock table projects in access exclusive mode`);
    const { status, body, headers } = await app.anonymous.graphql(
      `{ project(fullPath: "${project.full_path}") { name } }`,
    );
    t.is(status, 503);
    t.deepEqual(body, {
      errors: [{ message: 'Request timed out. Please try a less complex query or a smaller set of records.' }],
    });
    t.is(headers.get('retry-after'), '10');
    const queries = ['{ echo(text: "x") }', `{ project(fullPath: "${project.full_path}") { name } }`];
    const batch = JSON.stringify(queries.map((query) => ({ query })));
    const whole = await app.anonymous.raw('POST', '/api/graphql', batch, 'application/json');
    t.deepEqual([whole.status, whole.body], [503, body], 'a batch is no answer by halves');
  });
});

test.serial('a request that finds no connection soon enough is answered 503, a read and a write alike', async (t) => {
  const { db } = narrow.services;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const holders = Array.from({ length: 4 }, () => db.withSlot(ITSELF, () => held));
  for (const { status, body, headers } of [
    await narrow.anonymous.get('/wait-twice?name=none'),
    await narrow.anonymous.post('/write-and-wait', { name: 'none' }),
  ]) {
    t.is(status, 503);
    t.deepEqual(body, BUSY);
    t.is(headers.get('retry-after'), '1');
  }
  letGo();
  await Promise.all(holders);
  t.is((await narrow.anonymous.get('/wait-twice?name=none')).status, 200);
});

test.serial('one caller holds half of the connections at most, and others find one', async (t) => {
  const user = narrow.as(await app.build.user());
  const running = await locked(beside, 'share', async () => {
    const requests = Array.from({ length: 2 }, () => narrow.anonymous.get('/wait-twice?name=share'));
    await waitingFor(beside, 2);
    t.is((await narrow.anonymous.get('/wait-twice?name=other')).status, 503);
    t.is((await user.get('/wait-twice?name=other')).status, 200);
    return requests;
  });
  for (const { status } of await Promise.all(running)) t.is(status, 200);
});

test.serial('what a read writes beside counts to its caller as well', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  t.is((await publish(narrow.as(project.owner), project.id)).status, 201);
  const file = fileAt(project.id);
  const caller = narrow.as(await app.build.user());
  const other = narrow.as(await app.build.user());
  const ctx = beside.context();
  const downloads = await ctx.transaction(async () => {
    // The update of a package's last download has to wait; reads do not.
    await ctx.query(sql`lock table packages in share mode`);
    const running = [file, file].map((path) => caller.get(path));
    await waitingFor(beside, 2);
    t.is((await caller.get('/user')).status, 503);
    t.is((await other.get('/user')).status, 200);
    return running;
  });
  for (const { status } of await Promise.all(downloads)) t.is(status, 200);
});

test.serial('a statement of a job that removes a lot may take as long as the job', async (t) => {
  const timeout = async (origin: Partial<Context['origin']>) => {
    const ctx = new Context(app.services, ANONYMOUS, { requestId: 'x', ip: null, ...origin });
    const row = await ctx.transaction(() =>
      queryOne<{ ms: string }>(ctx, sql`select setting as ms from pg_settings where name = 'statement_timeout'`),
    );
    return row?.ms;
  };
  t.is(await timeout({ statementSeconds: 300 }), '300000');
  t.is(await timeout({}), '300');
});

test.serial('a rule of many wildcards is compared with a long name well within the limit', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const rule = await owner.post(`/projects/${project.id}/protected_branches`, { name: `${'*a'.repeat(126)}b` });
  t.is(rule.status, 201);
  const branch = 'a'.repeat(200);
  t.is((await owner.post(`/projects/${project.id}/repository/branches`, { branch, ref: 'main' })).status, 201);
  const { body } = await owner.get(`/projects/${project.id}/repository/branches/${branch}`);
  t.false(body.protected);
});

test('a database that cannot be reached is one without a connection', async (t) => {
  const db = await Database.connect({
    url: 'postgres://nobody@127.0.0.1:1/nothing',
    entities: [],
    work: databaseWork.api,
    onError: () => undefined,
  });
  t.teardown(() => db.close());
  const ctx = new Context({ ...app.services, db }, ANONYMOUS);
  await t.throwsAsync(() => ctx.query(sql`select 1 as one`), { instanceOf: NoConnection });
  await t.throwsAsync(() => ctx.transaction(() => Promise.resolve()), { instanceOf: NoConnection });
});
