import { randomBytes } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';
import { clone, git, getUrl } from './git-client.js';
import { quarantines, refsIn, workTree } from './push-client.js';

const app = useApp(test);
const VERSIONS = ['0', '1', '2'];

// Contract: git-http-1.push
test('commits, branches and tags are pushed by every version of the protocol', async (t) => {
  const project = await app.build.project();
  const work = await workTree(t, app, project, { as: project.owner });
  for (const version of VERSIONS) {
    const sha = await work.commit(`${version}.txt`);
    await work.inside('tag', '-a', '-m', 'A version', `v${version}`);
    const tag = await work.inside('rev-parse', `v${version}`);
    const specs = ['HEAD:main', `HEAD:refs/heads/new/${version}`, `v${version}`];
    const pushed = await work.push(specs, { settings: { 'protocol.version': version } });
    t.is(pushed.code, 0, pushed.stderr);
    const refs = await refsIn(app, project);
    t.is(refs['refs/heads/main'], sha);
    t.is(refs[`refs/heads/new/${version}`], sha);
    t.is(refs[`refs/tags/v${version}`], tag);
  }
  const { body } = await app.as(project.owner).get(`/projects/${project.id}/repository/tags/v2`);
  t.is((body as { message: string }).message, 'A version');
  t.is(plainGit(getRepositoryPath(app.context(), project), ['fsck', '--full', '--strict']), '');
  t.deepEqual(quarantines(app, project), []);
});

// Contract: git-http-1.push
test('branches and tags are deleted, alone and beside others', async (t) => {
  const project = await app.build.project();
  const work = await workTree(t, app, project, { as: project.owner });
  await work.push(['HEAD:refs/heads/a', 'HEAD:refs/heads/b', 'HEAD:refs/tags/c']);
  const deleted = await work.push(['--delete', 'a', 'refs/tags/c']);
  t.is(deleted.code, 0, deleted.stderr);
  t.deepEqual(Object.keys(await refsIn(app, project)), ['refs/heads/b', 'refs/heads/main']);
  const both = await work.push([':b', 'HEAD:refs/heads/d']);
  t.is(both.code, 0, both.stderr);
  t.deepEqual(Object.keys(await refsIn(app, project)), ['refs/heads/d', 'refs/heads/main']);
});

// Contract: git-http-4.first-push
test('the first push makes the default branch and its rule, the one that the project tells before others', async (t) => {
  for (const [names, expected] of [
    [['zoo', 'main'], 'main'],
    [['zoo', 'art'], 'zoo'],
  ] as const) {
    const project = await app.build.project({ empty: true });
    const work = await workTree(t, app, project, { as: project.owner, fresh: true });
    await work.commit('a.txt');
    const pushed = await work.push(names.map((name) => `HEAD:refs/heads/${name}`));
    t.is(pushed.code, 0, pushed.stderr);
    await refsIn(app, project);
    const { body } = await app.as(project.owner).get(`/projects/${project.id}`);
    t.is((body as { default_branch: string }).default_branch, pushed.refs[`refs/heads/${expected}`] ? expected : '');
    const rules = await app.as(project.owner).get(`/projects/${project.id}/protected_branches`);
    t.deepEqual(
      (rules.body as unknown as { name: string }[]).map(({ name }) => name),
      [expected],
    );
    const copy = await clone(t, app, project, { as: project.owner });
    t.is(await copy.inside('rev-parse', '--abbrev-ref', 'HEAD'), expected);
  }
});

// Contract: git-http-1.atomic
test('with --atomic all refs land or none, without it those that nothing speaks against', async (t) => {
  const project = await app.build.project();
  const work = await workTree(t, app, project, { as: project.owner });
  await work.commit('a.txt');
  const specs = ['HEAD:refs/heads/good', 'HEAD:refs/pipelines/1'];
  const before = await refsIn(app, project);
  const atomic = await work.push(['--atomic', ...specs]);
  t.is(atomic.code, 1);
  t.regex(atomic.refs['refs/pipelines/1'] ?? '', /remote rejected.*own, or are not taken/);
  t.regex(atomic.refs['refs/heads/good'] ?? '', /atomic push fail/);
  t.deepEqual(await refsIn(app, project), before);
  const others = await work.push(specs);
  t.is(others.code, 1);
  t.regex(others.refs['refs/pipelines/1'] ?? '', /remote rejected.*own, or are not taken/);
  t.is(others.refs['refs/heads/good'], '[new branch]');
  t.deepEqual(Object.keys(await refsIn(app, project)), ['refs/heads/good', 'refs/heads/main']);
});

// Contract: git-http-1.force-with-lease
test('--force-with-lease replaces what the client knows, and nothing else', async (t) => {
  const project = await app.build.project();
  const [one, other] = [
    await workTree(t, app, project, { as: project.owner }),
    await workTree(t, app, project, { as: project.owner }),
  ];
  const first = await one.commit('one.txt');
  await one.push(['HEAD:refs/heads/work']);
  await other.commit('other.txt');
  const stale = await other.push(['--force-with-lease=work:' + '1'.repeat(40), 'HEAD:refs/heads/work']);
  t.not(stale.code, 0);
  const leased = await other.push([`--force-with-lease=work:${first}`, 'HEAD:refs/heads/work']);
  t.is(leased.code, 0, leased.stderr);
  t.is((await refsIn(app, project))['refs/heads/work'], await other.inside('rev-parse', 'HEAD'));
});

// Contract: git-http-1.push-options
test('push options are accepted, and start nothing', async (t) => {
  const project = await app.build.project();
  const work = await workTree(t, app, project, { as: project.owner });
  await work.commit('a.txt');
  const pushed = await work.push(['-o', 'ci.skip', '-o', 'some.thing="else"', 'HEAD:main']);
  t.is(pushed.code, 0, pushed.stderr);
  const { body } = await app.as(project.owner).get(`/projects/${project.id}/pipelines`);
  t.deepEqual(body as unknown, []);
});

// Contract: git-http-1.push-bodies, git-http-1.thin
test('a large push comes in chunks, after a trial of the connection, and a thin pack finds what it builds on', async (t) => {
  const project = await app.build.project();
  const work = await workTree(t, app, project, { as: project.owner });
  const large = randomBytes(3 * 1024 * 1024);
  const settings = { 'http.postBuffer': '65536', 'core.bigFileThreshold': '1g' };
  await work.commit('large.bin', large);
  const chunked = await work.push(['HEAD:main'], { settings });
  t.is(chunked.code, 0, chunked.stderr);
  large.write('changed', 1000);
  const sha = await work.commit('large.bin', large);
  const thin = await work.push(['--thin', 'HEAD:main'], {
    settings,
    variables: { GIT_TRACE_CURL: '1', GIT_TRACE_CURL_NO_DATA: '1' },
  });
  t.is(thin.code, 0, thin.stderr);
  t.is((await refsIn(app, project))['refs/heads/main'], sha);
  t.is(plainGit(getRepositoryPath(app.context(), project), ['fsck', '--full', '--strict']), '');
});

// Contract: git-http-1.push-shallow
test('a shallow clone pushes what it adds, and nothing whose history is cut off', async (t) => {
  const project = await app.build.project();
  const full = await workTree(t, app, project, { as: project.owner });
  for (const name of ['a', 'b', 'c']) await full.commit(name);
  await full.push(['HEAD:main']);
  const shallow = await workTree(t, app, project, { as: project.owner, options: ['--depth=1'] });
  const sha = await shallow.commit('d');
  const pushed = await shallow.push(['HEAD:main']);
  t.is(pushed.code, 0, pushed.stderr);
  t.is((await refsIn(app, project))['refs/heads/main'], sha);
  const empty = await app.build.project({ empty: true, owner: project.owner });
  const rejection = await shallow.push(['HEAD:main'], { to: empty });
  t.not(rejection.code, 0);
  t.regex(rejection.stderr, /remote: .*shallow|remote: .*cut off/i);
  t.deepEqual(await refsIn(app, empty), {});
  t.deepEqual(quarantines(app, empty), []);
});

// Contract: git-http-5.follows
test('a push is an event for each ref, counts as a contribution, and moves last_activity_at', async (t) => {
  const project = await app.build.project();
  const work = await workTree(t, app, project, { as: project.owner });
  await work.commit('a.txt');
  const head = await work.commit('b.txt');
  app.clock.advance('1 hour');
  const [old] = Object.values(await refsIn(app, project));
  await work.inside('tag', 'v1');
  t.is((await work.push(['HEAD:main', 'HEAD:refs/heads/new', 'v1'])).code, 0);
  const many = ['a', 'b', 'c', 'd'].map((name) => `HEAD:refs/heads/many/${name}`);
  t.is((await work.push([...many, ':new'])).code, 0);
  const events = await app.context().query<Record<string, unknown>>(sql`
    select p.action as "action", p.ref_type as "ref_type", p.ref as "ref", p.commit_from as "commit_from",
           p.commit_to as "commit_to", p.commit_count as "commit_count", p.commit_title as "commit_title",
           p.ref_count as "ref_count", e.author_id = ${project.owner.id} as "own"
      from events e join push_event_payloads p on p.event_id = e.id
     where e.project_id = ${project.id} order by e.id`);
  const one = { commit_title: 'Add b.txt', commit_from: null, commit_to: head, ref_count: null, own: true };
  const none = { commit_title: null, commit_from: null, commit_to: null, ref: null, commit_count: 0, own: true };
  t.deepEqual(events, [
    { ...one, action: 'pushed', ref_type: 'branch', ref: 'main', commit_from: old, commit_count: 2 },
    { ...one, action: 'created', ref_type: 'branch', ref: 'new', commit_count: 2 },
    { ...one, action: 'created', ref_type: 'tag', ref: 'v1', commit_count: 1 },
    { ...none, action: 'removed', ref_type: 'branch', ref: 'new', commit_from: head, ref_count: null },
    { ...none, action: 'created', ref_type: 'branch', ref_count: 4 },
  ]);
  const [contribution] = await app.context().query<{ day: string }>(sql`
    select c.contributed_on::text as "day" from project_contributions c
     where c.project_id = ${project.id} and c.user_id = ${project.owner.id}`);
  t.is(contribution?.day, app.clock.now().toISOString().slice(0, 10));
  const { body } = await app.as(project.owner).get(`/projects/${project.id}`);
  t.is((body as { last_activity_at: string }).last_activity_at, app.clock.now().toISOString());
});

// Contract: git-http-1.push-moved
test('who pushes to an old path is told the new URL', async (t) => {
  const project = await app.build.project();
  const old = project.full_path;
  const work = await workTree(t, app, project, { as: project.owner });
  await work.commit('a.txt');
  const { body } = await app.as(project.owner).put(`/projects/${project.id}`, { path: 'elsewhere' });
  const pushed = await work.push(['HEAD:main'], { to: old });
  t.is(pushed.code, 128);
  const url = `${app.services.config.externalUrl}/${body.path_with_namespace}.git`;
  t.true(
    pushed.stderr.includes(`remote: This project has moved. Push to its new URL: git remote set-url origin ${url}`),
    pushed.stderr,
  );
});

// Contract: git-http-1.no-creation
test('a push makes no project', async (t) => {
  const project = await app.build.project();
  const work = await workTree(t, app, project, { as: project.owner });
  const { code, stderr } = await git([
    '-C',
    work.folder,
    'push',
    getUrl(app, `${project.owner.username}/none`, project.owner),
    'main',
  ]);
  t.is(code, 128);
  t.regex(stderr, /remote: There is no such project, or you may not see it./);
});
