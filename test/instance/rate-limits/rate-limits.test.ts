import test from 'ava';
import { UserCaller } from '../../../shared/core/context/callers.js';
import { RateLimited } from '../../../shared/core/values/errors.js';
import { countAction } from '../../../shared/core/operations/limit-actions.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { instance, operation } from '../../../shared/core/operations/operation.js';
import { sql } from 'kysely';
import type { BuiltUser } from '../../core/builders.js';
import { TestApp, useApp } from '../../core/app.js';
import { eventually } from '../../core/processes.js';

const app = useApp(test, [], { limitsOn: true });

const TOO_OFTEN = { message: { error: 'This endpoint has been requested too many times. Try again later.' } };
const off = { projects_api_limit: 0, project_api_limit: 0, projects_api_rate_limit_unauthenticated: 0 };

let hours = 0;
/** Each test begins in an hour of its own, so that no period is shared. */
test.serial.beforeEach(() => app.clock.set(new Date(Date.UTC(2030, 0, 1, (hours += 1))).toISOString()));
test.serial.afterEach.always(() => app.set(off));

const counts = async (like: string) =>
  (
    await app.services.db.query<{ key: string; points: number }>(
      sql`select c.key, c.points from rate_limit_counts c where c.key like ${like} order by c.key`,
    )
  ).map(({ key, points }) => [key, points]);

// Contract: limits-1
test.serial('over its limit an action answers 429 with the seconds to wait, until the minute is over', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const read = () => owner.get(`/projects/${project.id}`);
  await app.set({ project_api_limit: 2 });
  app.clock.advance('20 seconds');
  t.is((await read()).status, 200);
  t.is((await read()).status, 200);
  const rejection = await read();
  t.is(rejection.status, 429);
  t.deepEqual(rejection.body, TOO_OFTEN);
  t.is(rejection.headers.get('retry-after'), '40');
  app.clock.advance('39 seconds');
  t.is((await read()).headers.get('retry-after'), '1');
  app.clock.advance('1 second');
  t.is((await read()).status, 200);
});

// Contract: limits-2
test.serial('limits count each user alone', async (t) => {
  const [one, two] = [await app.build.user(), await app.build.user()];
  await app.set({ projects_api_limit: 1 });
  const list = async (user: BuiltUser) => (await app.as(user).get('/projects')).status;
  t.deepEqual([await list(one), await list(one), await list(two)], [200, 429, 200]);
});

// Contract: limits-2
test.serial(
  'project lists count over ten minutes, and anonymous callers by address with a number of their own',
  async (t) => {
    const user = await app.build.user();
    await app.set({ projects_api_limit: 1, projects_api_rate_limit_unauthenticated: 2 });
    const anonymous = async () => (await app.anonymous.get('/projects')).status;
    t.deepEqual([await anonymous(), await anonymous(), await anonymous()], [200, 200, 429]);
    await app.as(user).get('/projects');
    t.is((await app.as(user).get('/projects')).headers.get('retry-after'), '600');
  },
);

// Contract: limits-3
test.serial('a limit at 0 is off and counts nothing', async (t) => {
  const project = await app.build.project();
  for (let count = 0; count < 5; count += 1)
    t.is((await app.as(project.owner).get(`/projects/${project.id}`)).status, 200);
  t.deepEqual(await counts(`project_read/%/user/${project.owner.id}`), []);
});

// Contract: limits-4
test.serial('a raised limit lets through again in the same minute, and a lowered one refuses', async (t) => {
  const project = await app.build.project();
  const read = async () => (await app.as(project.owner).get(`/projects/${project.id}`)).status;
  await app.set({ project_api_limit: 1 });
  t.deepEqual([await read(), await read()], [200, 429]);
  await app.set({ project_api_limit: 10 });
  t.deepEqual([await read(), await read()], [200, 200]);
  await app.set({ project_api_limit: 2 });
  t.is(await read(), 429);
});

// Contract: limits-5
test.serial('two processes count together and follow a changed limit within a second', async (t) => {
  const other = new TestApp([], { beside: app });
  await other.start();
  t.teardown(() => other.stop());
  const project = await app.build.project();
  const read = async (process: TestApp) => (await process.as(project.owner).get(`/projects/${project.id}`)).status;
  await app.set({ project_api_limit: 3 });
  await other.services.settings.refresh();
  t.deepEqual([await read(app), await read(other), await read(app)], [200, 200, 200]);
  t.deepEqual([await read(other), await read(app)], [429, 429]);
  await app.set({ project_api_limit: 0 });
  t.true(await eventually(async () => (await read(other)) === 200, 1));
});

// Contract: limits-5
test.serial('many requests at once, over two processes, are let through exactly as often as allowed', async (t) => {
  const other = new TestApp([], { beside: app });
  await other.start();
  t.teardown(() => other.stop());
  const project = await app.build.project();
  await app.set({ project_api_limit: 7 });
  await other.services.settings.refresh();
  const read = (process: TestApp) => process.as(project.owner).get(`/projects/${project.id}`);
  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => read(index % 2 === 0 ? app : other)));
  t.is(answers.filter(({ status }) => status === 200).length, 7);
  t.is(answers.filter(({ status }) => status === 429).length, 23);
});

const comment = operation({
  name: 'comment',
  summary: 'Something that is limited',
  resource: instance,
  kind: 'write',
  limit: 'notes_create',
  run: (ctx) => (ctx.caller.admin ? Promise.reject(new Error('failed')) : Promise.resolve('done')),
});

// Contract: limits-6
test.serial(
  'an operation counts each try by its declared limit, also one that fails, 300 notes a minute by default',
  async (t) => {
    const user = await app.build.user();
    const admin = await app.build.admin();
    t.is(app.services.settings.current.notes_create_limit, 300);
    await app.set({ notes_create_limit: 2 });
    const asUser = app.context(new UserCaller(user));
    t.is(await invoke(asUser, comment, {}), 'done');
    t.is(await invoke(asUser, comment, {}), 'done');
    const error = await t.throwsAsync(invoke(asUser, comment, {}), { instanceOf: RateLimited });
    t.is(error?.retryAfterSeconds, 60);
    await t.throwsAsync(invoke(app.context(new UserCaller(admin)), comment, {}), { message: 'failed' });
    t.deepEqual(await counts(`notes_create/60/user/${admin.id}`), [[`notes_create/60/user/${admin.id}`, 1]]);
    await app.set({ notes_create_limit: 300 });
  },
);

// Contract: limits-2
test.serial(
  'what an operation finds can be part of what is counted: one archive a minute for each user and group',
  async (t) => {
    const ctx = app.context(new UserCaller(await app.build.user()));
    const serve = (group: number) => countAction(ctx, 'group_download_export', [group]);
    await t.notThrowsAsync(serve(1));
    await t.notThrowsAsync(serve(2));
    await t.throwsAsync(serve(1), { instanceOf: RateLimited });
    app.clock.advance('1 minute');
    await t.notThrowsAsync(serve(1));
  },
);

// Contract: limits-8
test.serial('pipelines are counted by project, user and commit, and not at all by default', async (t) => {
  const ctx = app.context(new UserCaller(await app.build.user()));
  const create = (sha: string) => countAction(ctx, 'pipelines_create', [5, sha]);
  await t.notThrowsAsync(create('a'));
  await app.set({ pipeline_limit_per_project_user_sha: 1 });
  await t.notThrowsAsync(create('a'));
  await t.throwsAsync(create('a'), { instanceOf: RateLimited });
  await t.notThrowsAsync(create('b'));
  await app.set({ pipeline_limit_per_project_user_sha: 0 });
});

// Contract: limits-8
test.serial('over the API a pipeline of the same commit is refused, one of another user is not', async (t) => {
  const project = await app.build.project();
  const other = await app.build.member(project, 'maintainer');
  const start = async (user: BuiltUser) =>
    (await app.as(user).post(`/projects/${project.id}/pipeline`, { ref: 'main' })).status;
  await app.set({ pipeline_limit_per_project_user_sha: 1 });
  t.deepEqual([await start(project.owner), await start(project.owner), await start(other)], [201, 429, 201]);
  await app.set({ pipeline_limit_per_project_user_sha: 0 });
  t.is(await start(project.owner), 201);
});

// Contract: limits-16
test.serial('removing members and listing users are limited once they are set to be', async (t) => {
  const project = await app.build.project();
  const members = [await app.build.member(project, 'guest'), await app.build.member(project, 'guest')];
  const owner = app.as(project.owner);
  await app.set({ members_delete_limit: 1, users_api_limit: 1 });
  const remove = async (at: number) =>
    (await owner.delete(`/projects/${project.id}/members/${members[at]?.id}`)).status;
  t.deepEqual([await remove(0), await remove(1)], [204, 429]);
  t.deepEqual([(await owner.get('/users')).status, (await owner.get('/users')).status], [200, 429]);
  await app.set({ members_delete_limit: 0, users_api_limit: 0 });
  t.is(await remove(1), 204);
});

// Contract: limits-18
test.serial('reading and listing groups is limited once it is set to be', async (t) => {
  const { id, owner } = await app.build.group();
  const client = app.as(owner);
  const paths = {
    groups_api_limit: '/groups',
    group_api_limit: `/groups/${id}`,
    group_shared_groups_api_limit: `/groups/${id}/groups/shared`,
    group_invited_groups_api_limit: `/groups/${id}/invited_groups`,
    group_projects_api_limit: `/groups/${id}/projects`,
  } as const;
  for (const [name, path] of Object.entries(paths)) {
    t.is((await client.get(path)).status, 200, name);
    await app.set({ [name]: 1 });
    t.deepEqual([(await client.get(path)).status, (await client.get(path)).status], [200, 429], name);
    await app.set({ [name]: 0 });
  }
});

// Contract: limits-7
test.serial('exports and imports are counted six a minute, sign-ins ten', async (t) => {
  const { limiter } = app.services;
  const key = ['user', 4711];
  for (const name of ['group_export', 'group_import', 'project_export', 'project_import', 'sign_in'] as const) {
    const allowed = name === 'sign_in' ? 10 : 6;
    for (let count = 1; count <= allowed; count += 1) t.false((await limiter.consume(name, key))?.exceeded);
    t.like(await limiter.consume(name, key), { exceeded: true, allowed, observed: allowed + 1, periodSeconds: 60 });
  }
});

// Contract: limits-2
test.serial('text that a caller wrote is counted by its digest, whatever it holds', async (t) => {
  const account = `${'é'.repeat(5000)}\0`;
  await app.services.limiter.consume('sign_in', ['account', account]);
  t.is((await app.services.limiter.consume('sign_in', ['account', account]))?.observed, 2);
});

// Contract: limits-9
test.serial('counts of periods that are over are dropped', async (t) => {
  await app.services.limiter.consume('sign_in', ['address', '192.0.2.1']);
  t.is((await counts('sign_in/60/address/192.0.2.1')).length, 1);
  app.clock.advance('3 minutes');
  await app.services.limiter.consume('sign_in', ['address', '192.0.2.2']);
  await app.services.limiter.swept();
  t.deepEqual(await counts('sign_in/60/address/192.0.2.%'), [['sign_in/60/address/192.0.2.2', 1]]);
});

// Contract: limits-10
test.serial('a store of counts that fails lets everything through', async (t) => {
  const project = await app.build.project();
  await app.set({ project_api_limit: 1, throttle_authenticated_api_enabled: true });
  await app.services.db.query(sql`alter table rate_limit_counts rename to gone`);
  for (let count = 0; count < 3; count += 1)
    t.is((await app.as(project.owner).get(`/projects/${project.id}`)).status, 200);
  await app.services.db.query(sql`alter table gone rename to rate_limit_counts`);
  await app.set({ throttle_authenticated_api_enabled: false });
});
