import test from 'ava';
import { post, routes } from '../../../api/core/routes.js';
import { text } from '../../../shared/core/operations/fields.js';
import { instance, operation } from '../../../shared/core/operations/operation.js';
import { sql } from 'kysely';
import { ITSELF } from '../../../shared/core/database/pool-limit.js';
import { TestApp, useApp } from '../app.js';
import { eventually } from '../processes.js';
import { PASSWORD, userWithPassword } from '../signed-in.js';
import { locked, slowRoutes, written } from '../limits/slow-statements.js';
import { workTree } from '../../repositories/git-http/push-client.js';
import { endBackend, endWaiting, endWhileItWaits } from './terminated-connections.js';
import { queryOne } from '../query-one.js';

/** Terminates the connection between the last statement of a transaction and its commit. */
const endBeforeCommit = operation({
  name: 'endBeforeCommit',
  resource: instance,
  authentication: 'open',
  kind: 'write',
  summary: 'Write, and lose the connection before the commit',
  params: { name: text() },
  async run(ctx, _instance, { name }) {
    await ctx.query(sql`insert into instance_settings (name, value, updated_at) values (${name}, '1', now())`);
    const row = await queryOne<{ pid: number }>(ctx, sql`select pg_backend_pid() as pid`);
    await endBackend(beside, row!.pid);
    return {};
  },
});

const ownRoutes = [...slowRoutes, ...routes('', [post('/end-before-commit', endBeforeCommit)])];

const app = useApp(test, ownRoutes);
const beside = new TestApp([], { beside: app });
/** Four connections, all of them for one caller. */
const narrow = new TestApp(ownRoutes, { beside: app, poolSize: 4, work: { callerShare: 1, acquireTimeout: 5_000 } });

test.serial.before('start the others', async () => {
  await beside.start();
  await narrow.start();
});
test.serial.after.always('stop the others', async () => {
  await narrow.stop();
  await beside.stop();
});

const BUSY = { message: '503 Service Unavailable' };

// Contract: outages-1.places
test.serial(
  'connections that end within transactions, more often than there are any, leave their places',
  async (t) => {
    for (let round = 0; round < 3; round += 1) {
      const name = `ended ${round}`;
      const answers = await locked(beside, name, async () => {
        const sent = Array.from({ length: 4 }, () => narrow.anonymous.post('/write-and-wait', { name }));
        await eventually(async () => (await endWaiting(beside)) > 0 || null);
        let open = true;
        const all = Promise.all(sent).finally(() => {
          open = false;
        });
        while (open) await endWaiting(beside);
        return all;
      });
      for (const { status, body, headers } of answers) {
        t.is(status, 503);
        t.deepEqual(body, BUSY);
        t.is(headers.get('retry-after'), '1');
      }
      t.false(await written(beside, name));
    }
    t.is((await narrow.anonymous.get('/wait-twice?name=after')).status, 200);
    const after = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => narrow.anonymous.post('/write-and-wait', { name: `after ${name}` })),
    );
    t.deepEqual(
      after.map(({ status }) => status),
      [200, 200, 200, 200],
    );
  },
);

// Contract: outages-1.places
test.serial('a connection that ends before the commit undoes what was done, and leaves its place', async (t) => {
  for (let time = 0; time < 6; time += 1) {
    const { status, body } = await narrow.anonymous.post('/end-before-commit', { name: 'before the commit' });
    t.is(status, 503);
    t.regex(body.message, /^503 Service Unavailable/);
  }
  t.false(await written(beside, 'before the commit'));
  t.is((await narrow.anonymous.get('/wait-twice?name=before')).status, 200);
});

// Contract: outages-1.kinds
test.serial('a connection that ends is 503 with Retry-After over REST and GraphQL, for reads and writes', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const fullPath = project.full_path;
  const issue = `mutation { createIssue(input: { projectPath: "${fullPath}", title: "x" }) { errors } }`;
  const ways: [what: string, table: string, send: () => ReturnType<typeof owner.get>][] = [
    ['a read', 'issues', () => owner.get(`/projects/${project.id}/issues`)],
    ['a write', 'issues', () => owner.post(`/projects/${project.id}/issues`, { title: 'x' })],
    ['signing in by a token', 'personal_access_tokens', () => owner.get('/user')],
    ['a job', 'pgboss.job', () => owner.delete(`/projects/${project.id}`)],
    ['a query', 'issues', () => owner.graphql(`{ project(fullPath: "${fullPath}") { issues { nodes { id } } } }`)],
    ['a mutation', 'issues', () => owner.graphql(issue)],
  ];
  for (const [what, table, send] of ways) {
    app.tokens.forget();
    const { status, headers, text: said } = await endWhileItWaits(beside, table, send);
    t.is(status, 503, `${what}: ${said}`);
    t.is(headers.get('retry-after'), '1', what);
  }
  t.is((await owner.get(`/projects/${project.id}`)).status, 200, 'nothing was done');
  t.deepEqual((await owner.get(`/projects/${project.id}/issues`)).body, []);
});

// Contract: outages-1.kinds
test.serial('a session is not begun on a connection that ends: 503 with Retry-After', async (t) => {
  const user = await userWithPassword(app);
  const form = JSON.stringify({ login: user.username, password: PASSWORD });
  const signIn = () => app.anonymous.raw('POST', '/users/sign_in', form, 'application/json');
  const { status, headers } = await endWhileItWaits(beside, 'user_sessions', signIn);
  t.is(status, 503);
  t.is(headers.get('retry-after'), '1');
  t.is((await signIn()).status, 200);
});

// Contract: outages-1.kinds
test.serial(
  'git is told that the service is busy where its connection ends, and nothing of a push lands',
  async (t) => {
    const project = await app.build.project();
    const refs = `/${project.full_path}.git/info/refs?service=git-upload-pack`;
    const basic = { Authorization: `Basic ${Buffer.from(`x:${project.owner.token}`).toString('base64')}` };
    app.tokens.forget();
    const fetched = await endWhileItWaits(beside, 'projects', () => app.withHeaders(basic).raw('GET', refs));
    t.is(fetched.status, 503);
    t.is(fetched.headers.get('retry-after'), '1');
    const work = await workTree(t, app, project, { as: project.owner });
    await work.commit('a.txt');
    const pushed = await endWhileItWaits(beside, 'events', () => work.push(['HEAD:refs/heads/new']));
    t.not(pushed.code, 0);
    t.regex(pushed.stderr, /The service is busy\. Try again soon\./);
    const again = await work.push(['HEAD:refs/heads/new']);
    t.is(again.code, 0, again.stderr);
  },
);

// Contract: outages-1.readiness
test.serial('a process whose connections are all taken, and do not come back, is not ready', async (t) => {
  const own = new TestApp([], { beside: app, poolSize: 2, work: { acquireTimeout: 20 } });
  await own.start();
  t.teardown(() => own.stop());
  const readiness = () => own.anonymous.raw('GET', '/-/readiness');
  const isReady = async () => {
    // A successful query marks the database as available, however busy this machine is.
    await own.services.db.query(sql`select 1 as "one"`).catch(() => []);
    return (await readiness()).status === 200;
  };
  await eventually(isReady);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const holders = [1, 2].map(() => own.services.db.withSlot(ITSELF, () => held));
  const { body } = await eventually(async () => {
    const answer = await readiness();
    return answer.status === 503 && answer;
  });
  t.is(body.db_check[0].message, 'All connections to the database are taken, and none comes back.');
  letGo();
  await Promise.all(holders);
  await eventually(isReady);
  t.pass();
});
