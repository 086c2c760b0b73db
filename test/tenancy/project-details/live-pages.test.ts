import test from 'ava';
import type { ExecutionContext } from 'ava';
import { CHANGE_FEED_LIMITS } from '../../../shared/core/page-changes/change-feed.js';
import { sql } from 'kysely';
import { create, getPath, ring } from '../../ci/pipeline-schedules/schedule-steps.js';
import { TestApp, useApp } from '../../core/app.js';
import { eventually } from '../../core/processes.js';
import { signIn } from '../../core/signed-in.js';
import type { SignedIn } from '../../core/signed-in.js';
import { openStream } from './stream.js';

const app = useApp(test);

/** Ends the streams of a test. */
const left: (() => void)[] = [];
test.afterEach.always(() => left.splice(0).forEach((leave) => leave()));

async function listen({ cookie }: Pick<SignedIn, 'cookie'>, query = '', on: TestApp = app) {
  const stream = await openStream(on.url, cookie, query);
  left.push(stream.leave);
  return stream;
}

/** A project with a schedule, and its owner signed in, after some calm. */
async function scheduled(more: { group?: Awaited<ReturnType<typeof app.build.group>> } = {}) {
  const project = more.group ? await app.build.projectIn(more.group, { empty: false }) : await app.build.project();
  const { owner } = project;
  const client = app.as(owner);
  const { body } = await create(client, project, { cron: '0 * * * *' });
  const edit = (values: object) => client.put(getPath(project, `/${body.id}`), values);
  await app.calm();
  return { project, owner, client, edit, page: await signIn(app, owner), query: `project=${project.full_path}` };
}

// Contract: web.live
test.serial('a page of a project is told what kind of thing changed there, once for all that changed', async (t) => {
  const { project, client, edit, page, query } = await scheduled();
  const other = await scheduled();
  const stream = await listen(page, query);
  const elsewhere = await listen(other.page, other.query);
  t.is(stream.response.headers.get('content-type'), 'text/event-stream');
  t.is(stream.response.headers.get('cache-control'), 'no-store');
  t.deepEqual((await stream.first()).kinds, []);
  t.is((await edit({ description: 'Weekly' })).status, 200);
  t.is((await edit({ description: 'Monthly' })).status, 200);
  await stream.hears('pipeline_schedules');
  t.deepEqual([...stream.kinds()], ['pipeline_schedules']);
  t.is(stream.messages.filter(({ kinds }) => kinds?.length).length, 1);
  t.is((await client.post(`/projects/${project.id}/pipeline?ref=main`)).status, 201);
  await stream.hears('pipelines');
  const { body: branch } = await client.get(`/projects/${project.id}/repository/branches/main`);
  const before = stream.messages.length;
  await client.post(`/projects/${project.id}/statuses/${branch.commit.id}`, { state: 'running' });
  await eventually(() =>
    Promise.resolve(stream.messages.slice(before).some(({ kinds }) => kinds?.includes('pipelines'))),
  );
  t.deepEqual([...elsewhere.kinds()], []);
  stream.leave();
  elsewhere.leave();
});

// Contract: web.live
test.serial('what workers do is told to pages of the project, of its groups and of everything', async (t) => {
  const top = await app.build.group();
  const group = await app.build.group({ parent: top, owner: top.owner });
  const { page, query } = await scheduled({ group });
  const streams = await Promise.all(
    [query, `group=${top.full_path}`, 'membership=true', ''].map((scope) => listen(page, scope)),
  );
  for (const stream of streams) t.deepEqual((await stream.first()).kinds, []);
  app.clock.advance('1 hour');
  await ring(app);
  for (const stream of streams) await stream.hears('pipeline_schedules');
  await streams[0]?.hears('pipelines');
  for (const stream of streams) stream.leave();
  t.is(new Set(streams.slice(1).flatMap(({ messages }) => messages.flatMap(({ kinds }) => kinds ?? []))).size, 1);
});

// Contract: web.live
test.serial('each change of a schedule is told: variables, owner, play, deletion', async (t) => {
  const { project, client, page, query } = await scheduled();
  const { body } = await create(client, project, {});
  const at = getPath(project, `/${body.id}`);
  const maintainer = await app.build.member(project, 'maintainer');
  const changes: [string, () => Promise<unknown>][] = [
    ['a variable made', () => client.post(`${at}/variables`, { key: 'STAGE', value: 'one' })],
    ['a variable changed', () => client.put(`${at}/variables/STAGE`, { value: 'two' })],
    ['a variable removed', () => client.delete(`${at}/variables/STAGE`)],
    ['played', () => client.post(`${at}/play`)],
    ['taken over', () => app.as(maintainer).post(`${at}/take_ownership`)],
    ['deleted', () => app.as(maintainer).delete(at)],
  ];
  for (const [name, change] of changes) {
    await app.work();
    await app.calm();
    const stream = await listen(page, query);
    t.deepEqual((await stream.first()).kinds, [], name);
    await change();
    await stream.hears('pipeline_schedules');
    stream.leave();
  }
});

/** What changes are heard of, each by a page that begins to listen after some calm. */
async function hearEach(
  t: ExecutionContext,
  open: () => Promise<Awaited<ReturnType<typeof listen>>>,
  changes: readonly (readonly [kind: string, change: () => Promise<{ status: number }>])[],
) {
  for (const [kind, change] of changes) {
    await app.work();
    await app.calm();
    const stream = await open();
    t.deepEqual((await stream.first()).kinds, [], kind);
    const { status } = await change();
    t.true(status < 300, `${kind}: ${status}`);
    await stream.hears(kind);
    stream.leave();
  }
}

// Contract: web.live.kinds
test.serial('issues, comments, refs, environments, mirrors and exports of a project are told too', async (t) => {
  const { project, client, page, query } = await scheduled();
  const at = `/projects/${project.id}`;
  const { body: issue } = await client.post(`${at}/issues`, { title: 'Leak' });
  const { body: environment } = await client.post(`${at}/environments`, { name: 'production' });
  const { body: branch } = await client.get(`${at}/repository/branches/main`);
  await hearEach(t, () => listen(page, query), [
    ['issues', () => client.put(`${at}/issues/${issue.iid}`, { title: 'Leak in the roof' })],
    ['issues', () => client.post(`${at}/issues/${issue.iid}/notes`, { body: 'It drips.' })],
    ['internal_notes', () => client.post(`${at}/issues/${issue.iid}/notes`, { body: 'Old roof.', internal: true })],
    ['confidential_issues', () => client.post(`${at}/issues`, { title: 'Break-in', confidential: true })],
    ['repositories', () => client.post(`${at}/repository/branches?branch=roof&ref=main`)],
    ['environments', () => client.put(`${at}/environments/${environment.id}`, { external_url: 'https://a.test' })],
    [
      'deployments',
      () =>
        client.post(`${at}/deployments`, {
          environment: 'production',
          ref: 'main',
          sha: branch.commit.id,
          tag: false,
          status: 'success',
        }),
    ],
    ['project_exports', () => client.post(`${at}/export`)],
  ]);
  // Changes by the worker, after the request's own notification.
  const stream = await listen(page, `${query}&kinds=project_exports`);
  await stream.first();
  const before = stream.messages.length;
  await app.work();
  await eventually(() =>
    Promise.resolve(stream.messages.slice(before).some(({ kinds }) => kinds?.includes('project_exports'))),
  );
  stream.leave();
});

// Contract: web.live.kinds
test.serial('boards with their lists, milestones and comments on snippets of a project are told too', async (t) => {
  const group = await app.build.group();
  const { project, client, page, query } = await scheduled({ group });
  const at = `/projects/${project.id}`;
  const { body: label } = await client.post(`${at}/labels`, { name: 'doing', color: '#d9534f' });
  const { body: board } = await client.post(`${at}/boards`, { name: 'Roofs' });
  const { body: milestone } = await client.post(`${at}/milestones`, { title: 'Summer' });
  const lists = `${at}/boards/${board.id}/lists`;
  const { body: first } = await client.post(lists, { milestone_id: milestone.id });
  const snippet = async (visibility: string) => {
    const files = [{ file_path: 'roof.txt', content: 'Tiles' }];
    return (await client.post(`${at}/snippets`, { title: 'Roof', visibility, files })).body.id as number;
  };
  await client.put(at, { visibility: 'public' });
  const [open, hidden] = [await snippet('public'), await snippet('private')];
  await hearEach(t, () => listen(page, query), [
    ['boards', () => client.post(`${at}/boards`, { name: 'Walls' })],
    ['boards', () => client.put(`${at}/boards/${board.id}`, { name: 'All roofs' })],
    ['boards', () => client.post(lists, { label_id: label.id })],
    ['boards', () => client.put(`${lists}/${first.id}`, { position: 1 })],
    ['boards', () => client.delete(`${lists}/${first.id}`)],
    ['boards', () => client.delete(`${at}/boards/${board.id}`)],
    ['milestones', () => client.post(`${at}/milestones`, { title: 'Winter' })],
    ['milestones', () => client.put(`${at}/milestones/${milestone.id}`, { state_event: 'close' })],
    ['snippet_notes', () => client.post(`${at}/snippets/${open}/notes`, { body: 'Slate?' })],
    ['private_snippet_notes', () => client.post(`${at}/snippets/${hidden}/notes`, { body: 'Copper.' })],
    ['milestones', () => client.post(`${at}/milestones/${milestone.id}/promote`)],
  ]);
  // Its new location.
  await hearEach(t, async () => listen(await signIn(app, group.owner), `group=${group.full_path}`), [
    ['group_milestones', () => app.as(group.owner).delete(`/groups/${group.id}/milestones/${milestone.id}`)],
    ['group_boards', () => app.as(group.owner).post(`/groups/${group.id}/boards`, { name: 'Roofs' })],
  ]);
});

// Contract: web.live.kinds
test.serial('epics and the archive of a group are told to the page of the group, and to no other one', async (t) => {
  const group = await app.build.group();
  const [other, page] = [await app.build.group({ owner: group.owner }), await signIn(app, group.owner)];
  const client = app.as(group.owner);
  await app.calm();
  const elsewhere = await listen(page, `group=${other.full_path}`);
  t.deepEqual((await elsewhere.first()).kinds, []);
  const { body: epic } = await client.post(`/groups/${group.id}/epics`, { title: 'Roofs' });
  await hearEach(t, () => listen(page, `group=${group.full_path}`), [
    ['epics', () => client.put(`/groups/${group.id}/epics/${epic.iid}`, { title: 'All roofs' })],
    ['group_exports', () => client.post(`/groups/${group.id}/export`)],
  ]);
  t.deepEqual([...elsewhere.kinds()], []);
  elsewhere.leave();
});

// Contract: web.live.kinds
test.serial('a page hears only of the kinds that it shows, and of others not even across projects', async (t) => {
  const { project, client, edit, page, query } = await scheduled();
  const queries = [`${query}&kinds=pipeline_schedules`, 'membership=true&kinds=pipeline_schedules,of_tomorrow'];
  const streams = await Promise.all(queries.map((each) => listen(page, each)));
  for (const stream of streams) t.deepEqual((await stream.first()).kinds, []);
  await client.post(`/projects/${project.id}/issues`, { title: 'Leak' });
  await edit({ description: 'Weekly' });
  for (const stream of streams) {
    await stream.hears('pipeline_schedules');
    t.deepEqual([...stream.kinds()], ['pipeline_schedules']);
    stream.leave();
  }
  t.is((await listen(page, `${query}&kinds=of_tomorrow`)).response.status, 403);
});

// Contract: web.live.rights
test.serial('of confidential issues and internal notes hear only those who may read them all', async (t) => {
  const { project, client } = await scheduled();
  await client.put(`/projects/${project.id}`, { visibility: 'public' });
  const [guest, planner] = [await app.build.member(project, 'guest'), await app.build.member(project, 'planner')];
  const { body: open } = await client.post(`/projects/${project.id}/issues`, { title: 'Leak' });
  await app.work();
  await app.calm();
  const query = `project=${project.full_path}`;
  const guests = await signIn(app, guest);
  const [theirs, wide, planners] = [
    await listen(guests, query),
    await listen(guests, 'membership=true'),
    await listen(await signIn(app, planner), query),
  ];
  for (const stream of [theirs, wide, planners]) t.deepEqual((await stream.first()).kinds, []);
  const { body: secret } = await client.post(`/projects/${project.id}/issues`, { title: 'Hole', confidential: true });
  await client.post(`/projects/${project.id}/issues/${secret.iid}/notes`, { body: 'Here.' });
  await client.post(`/projects/${project.id}/issues/${open.iid}/notes`, { body: 'There.', internal: true });
  await planners.hears('confidential_issues');
  await planners.hears('internal_notes');
  t.deepEqual([...theirs.kinds(), ...wide.kinds()], []);
  // It disappears for them, and they are notified.
  await client.put(`/projects/${project.id}/issues/${open.iid}`, { confidential: true });
  await theirs.hears('issues');
  await wide.hears('issues');
  for (const stream of [theirs, wide, planners]) stream.leave();
});

// Contract: web.live.rights
test.serial(
  'of comments on snippets that are not public hear members only, of boards whoever may read issues',
  async (t) => {
    const { project, client } = await scheduled();
    const at = `/projects/${project.id}`;
    await client.put(at, { visibility: 'public', issues_access_level: 'private' });
    const files = [{ file_path: 'roof.txt', content: 'Tiles' }];
    const { body: snippet } = await client.post(`${at}/snippets`, { title: 'Roof', visibility: 'internal', files });
    const guest = await app.build.member(project, 'guest');
    await app.work();
    await app.calm();
    const query = `project=${project.full_path}`;
    const [theirs, members] = [
      await listen(await signIn(app, await app.build.user()), query),
      await listen(await signIn(app, guest), query),
    ];
    for (const stream of [theirs, members]) t.deepEqual((await stream.first()).kinds, []);
    t.is((await client.post(`${at}/snippets/${snippet.id}/notes`, { body: 'Slate?' })).status, 201);
    t.is((await client.post(`${at}/boards`, { name: 'Roofs' })).status, 201);
    await members.hears('private_snippet_notes');
    await members.hears('boards');
    t.deepEqual([...theirs.kinds()], []);
    await client.put(`${at}/snippets/${snippet.id}`, { visibility: 'public' });
    await client.post(`${at}/snippets/${snippet.id}/notes`, { body: 'Or tin?' });
    await theirs.hears('snippet_notes');
    t.deepEqual([...theirs.kinds()], ['snippet_notes']);
    for (const stream of [theirs, members]) stream.leave();
  },
);

// Contract: web.live.rights
test.serial('nobody is told of what they may not see, and who is not signed in of nothing', async (t) => {
  const group = await app.build.group();
  const { project, edit, page, query } = await scheduled({ group });
  const [stranger, guest] = [await app.build.user(), await app.build.member(project, 'guest')];
  await app.as(group.owner).put(`/projects/${project.id}`, { public_jobs: false });
  await app.calm();
  const [theirs, guests] = [await signIn(app, stranger), await signIn(app, guest)];
  t.is((await listen({ cookie: '' })).response.status, 401);
  for (const scope of [query, `project=no/such`, `group=${group.full_path}`, 'group=none']) {
    const { response } = await listen(theirs, scope);
    t.is(response.status, 404, scope);
  }
  const all = await Promise.all([listen(theirs), listen(guests), listen(guests, 'membership=true')]);
  const own = await listen(page);
  for (const stream of [...all, own]) t.deepEqual((await stream.first()).kinds, []);
  await edit({ description: 'Secret' });
  await own.hears('pipeline_schedules');
  for (const stream of all) t.deepEqual([...stream.kinds()], []);
  // Begun after the change as well.
  for (const session of [theirs, guests]) t.deepEqual((await (await listen(session)).first()).kinds, []);
  t.deepEqual((await (await listen(page)).first()).kinds, ['pipeline_schedules']);
  t.is((await listen(guests, `${query}&kinds=pipeline_schedules`)).response.status, 403);
});

// Contract: web.live.rights
test.serial('a session that ended, and what is asked wrongly, are refused', async (t) => {
  const { page, query } = await scheduled();
  for (const [scope, error] of [
    ['since=yesterday', 'since is invalid'],
    [`${query}&group=any`, 'project, group are mutually exclusive'],
  ] as const) {
    const answer = await page.cookieOnly.raw('GET', `/-/events?${scope}`);
    t.deepEqual([answer.status, answer.body], [400, { error }]);
  }
  const stream = await listen(page, query);
  t.is(stream.response.status, 200);
  t.is((await page.client.raw('DELETE', '/users/sign_out')).status, 204);
  t.is((await listen(page, query)).response.status, 401);
  stream.leave();
});

// Contract: web.live.gap
test.serial(
  'a page that comes back is told what changed meanwhile, and only where it is not known, to ask anew',
  async (t) => {
    const { edit, page, query } = await scheduled();
    const stream = await listen(page, query);
    const { id } = await stream.first();
    stream.leave();
    await eventually(() => Promise.resolve(stream.state.over));
    const stays = await listen(page, query);
    await edit({ description: 'Meanwhile' });
    await stays.hears('pipeline_schedules');
    stays.leave();
    app.clock.advance('5 minutes');
    const back = async (since: string) => {
      const next = await listen(page, `${query}&since=${since}`);
      const heard = await next.first();
      next.leave();
      return heard;
    };
    const { kinds, id: now } = await back(id);
    t.deepEqual(kinds, ['pipeline_schedules']);
    t.deepEqual((await back(now)).kinds, []);
    t.deepEqual((await back('1')).kinds, ['*']);
    app.clock.advance('30 minutes');
    t.deepEqual((await back(id)).kinds, ['*']);
  },
);

// Contract: web.live.gap
test.serial('where the database cannot be heard pages are told so, and to ask anew once it can', async (t) => {
  const { page, query } = await scheduled();
  const stream = await listen(page, query);
  await stream.first();
  await app.context().query(sql`
    select pg_terminate_backend(a.pid) from pg_stat_activity a
     where a.datname = current_database() and a.application_name = 'capstan-listener'`);
  await stream.hears('*');
  t.deepEqual(
    stream.messages.map(({ kinds }) => kinds),
    [[], null, ['*']],
  );
  stream.leave();
  await app.calm();
});

// Contract: web.live.limits
test.serial('a caller has only so many pages open at a time', async (t) => {
  const page = await signIn(app, await app.build.user());
  const all = await Promise.all(Array.from({ length: CHANGE_FEED_LIMITS.caller }, () => listen(page)));
  t.true(all.every(({ response }) => response.status === 200));
  t.is((await listen(page)).response.status, 429);
  const other = await listen(await signIn(app, await app.build.user()));
  t.is(other.response.status, 200);
  for (const { leave } of [...all, other]) leave();
  await eventually(async () => {
    const again = await listen(page);
    again.leave();
    return again.response.status === 200;
  });
  t.pass();
});

// Contract: web.live.limits
test.serial('a process ends its pages when it stops; others go on, and hear what it did', async (t) => {
  const { edit, page, query } = await scheduled();
  const second = new TestApp([], { beside: app });
  await second.start();
  t.teardown(() => second.stop());
  const there = await listen(page, query, second);
  await there.hears('*');
  const here = await listen(page, query);
  await here.first();
  await edit({ description: 'Heard by all' });
  await there.hears('pipeline_schedules');
  await second.changes.stop();
  await eventually(() => Promise.resolve(there.state.over));
  t.is((await listen(page, query, second)).response.status, 503);
  await here.hears('pipeline_schedules');
  t.false(here.state.over);
  here.leave();
});

// Contract: web.live.limits
test.serial('while nothing changes a page costs no statement, and one who leaves is forgotten', async (t) => {
  const { page, query } = await scheduled();
  const streams = await Promise.all(['', query, query].map((scope) => listen(page, scope)));
  for (const stream of streams) await stream.first();
  /** Statements of two seconds. */
  const quiet = async () => {
    const before = app.services.db.statements;
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, 2_000);
    await promise;
    return app.services.db.statements - before;
  };
  // What requests before it write after their answers ends soon.
  await eventually(async () => (await quiet()) === 0);
  t.is(await quiet(), 0);
  const open = app.changes.size;
  for (const { leave } of streams) leave();
  await eventually(() => Promise.resolve(app.changes.size === open - streams.length));
  t.pass();
});
