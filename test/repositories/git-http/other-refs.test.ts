import { join } from 'node:path';
import test from 'ava';
import { repairRepositories } from '../../../shared/repositories/housekeeping/repair-repositories.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';
import { git, lsRemote, getUrl } from './git-client.js';
import { refsIn, workTree } from './push-client.js';

const app = useApp(test);

/** Full names of the refs advertised to a user who clones, without HEAD. */
async function advertisedRefs(project: { full_path: string }, as: { token: string }): Promise<string[]> {
  const { code, stdout, stderr } = await lsRemote(app, project, { as });
  if (code !== 0) throw new Error(stderr);
  return stdout
    .split('\n')
    .flatMap((line) => line.split('\t')[1] ?? [])
    .filter((name) => name !== 'HEAD');
}

// Contract: git-http-1.semantic-release
test('a release tool tags, notes the tag and pushes both, as a Developer', async (t) => {
  const project = await app.build.project();
  const developer = await app.build.member(project, 'developer');
  const work = await workTree(t, app, project, { as: developer });
  const url = getUrl(app, project, developer);
  await work.inside('checkout', '--quiet', '-b', 'next');
  await work.commit('a.txt');
  t.is((await work.push(['HEAD:refs/heads/next'])).code, 0);
  await work.inside('push', '--dry-run', '--no-verify', url, 'HEAD:next');
  for (const version of ['v1.0.0', 'v1.1.0']) {
    await work.commit(`${version}.txt`);
    await work.inside('push', '--quiet', url, 'HEAD:next');
    await work.inside('tag', version, 'HEAD');
    const channels = '{"channels":[null]}';
    await work.inside('notes', '--ref', `semantic-release-${version}`, 'add', '-f', '-m', channels, version);
    await work.inside('push', '--tags', url);
    await work.inside('push', url, `refs/notes/semantic-release-${version}`);
  }
  // As the next run does, in a clone of its own.
  const next = await workTree(t, app, project, { as: developer });
  const notes = '+refs/notes/*:refs/notes/*';
  await next.inside('fetch', '--quiet', '--unshallow', '--tags', url).catch(() => undefined);
  await next.inside('fetch', '--quiet', url, notes);
  t.is(
    await next.inside(
      'log',
      '--tags=*',
      '--decorate-refs=refs/tags/*',
      '--no-walk',
      '--format=%d%x09%N',
      '--notes=refs/notes/semantic-release*',
    ),
    await work.inside(
      'log',
      '--tags=*',
      '--decorate-refs=refs/tags/*',
      '--no-walk',
      '--format=%d%x09%N',
      '--notes=refs/notes/semantic-release*',
    ),
  );
  t.regex(await next.inside('notes', '--ref=semantic-release-v1.1.0', 'show', 'v1.1.0'), /channels/);
});

// Contract: git-http-1.other-refs
test('refs that are neither branches nor tags are kept, shown, fetched, replaced and deleted, and are no news', async (t) => {
  const project = await app.build.project();
  const developer = await app.build.member(project, 'developer');
  const reporter = await app.build.member(project, 'reporter');
  const work = await workTree(t, app, project, { as: developer });
  const first = await work.inside('rev-parse', 'HEAD');
  await work.commit('change.txt');
  const blob = await work.inside('rev-parse', 'HEAD:change.txt');
  const names = ['refs/changes/01/1/1', 'refs/for/main', 'refs/notes/commits', 'refs/remotes/origin/main'];
  const pushed = await work.push([...names.map((name) => `HEAD:${name}`), `${blob}:refs/blobs/one`]);
  t.is(pushed.code, 0, pushed.stderr);
  t.is(pushed.refs['refs/notes/commits'], '[new reference]');
  t.deepEqual(await advertisedRefs(project, reporter), [
    'refs/blobs/one',
    ...names.slice(0, 2),
    'refs/heads/main',
    ...names.slice(2),
  ]);
  t.is((await refsIn(app, project))['refs/blobs/one'], blob, 'the index agrees');

  const copy = await workTree(t, app, project, { as: reporter, fresh: true });
  const fetched = await git([
    '-C',
    copy.folder,
    'fetch',
    '--quiet',
    getUrl(app, project, reporter),
    'refs/changes/01/1/1',
  ]);
  t.is(fetched.code, 0, fetched.stderr);
  t.is(await copy.inside('rev-parse', 'FETCH_HEAD'), await work.inside('rev-parse', 'HEAD'));

  t.is((await work.push([`+${first}:refs/notes/commits`])).code, 0, 'replaced');
  t.is((await refsIn(app, project))['refs/notes/commits'], first);
  t.not((await work.push([`${first}:refs/notes/more`], { as: reporter })).code, 0, 'Reporters push nothing');
  const stale = await work.push(['--force-with-lease=refs/notes/commits:' + blob, ':refs/notes/commits']);
  t.is(stale.code, 1);

  const owner = app.as(project.owner);
  const path = `/projects/${project.id}`;
  const namesAt = async (end: string) =>
    (await owner.get(`${path}${end}`)).body.map((one: { name: string }) => one.name);
  t.deepEqual(await namesAt('/repository/branches'), ['main']);
  t.deepEqual(await namesAt('/repository/tags'), []);
  t.deepEqual(await namesAt('/protected_branches'), ['main']);
  t.is((await owner.post(`${path}/protected_branches`, { name: '*' })).status, 201);
  t.is((await work.push(['HEAD:refs/notes/free'])).code, 0, 'rules for branches are not asked');
  const { body: events } = await owner.get(`${path}/events`);
  t.deepEqual(
    events.filter((event: { action_name: string }) => /pushed|deleted/.test(event.action_name)),
    [],
  );
  for (const ref of ['refs/blobs/one', 'refs/notes/commits'])
    for (const end of ['tree', 'commits', 'archive.zip']) {
      const { status } = await owner.get(`${path}/repository/${end}?ref=${ref}&ref_name=${ref}&sha=${ref}`);
      t.is(status, 404, `${end} of ${ref}`);
    }

  const deleted = await work.push([
    '--delete',
    'refs/blobs/one',
    'refs/notes/commits',
    ...names.filter((name) => name !== 'refs/notes/commits'),
    'refs/notes/free',
  ]);
  t.is(deleted.code, 0, deleted.stderr);
  t.deepEqual(Object.keys(await refsIn(app, project)), ['refs/heads/main']);
});

// Contract: git-http-1.other-refs
test("the service's own refs, and what is no name of a ref, are refused", async (t) => {
  const project = await app.build.project();
  const work = await workTree(t, app, project, { as: project.owner });
  const own = [
    'merge-requests/1/head',
    `keep-around/${'a'.repeat(40)}`,
    'pipelines/1',
    'environments/a/deployments/1',
    'remote/heads/x',
    'tmp/x',
    'worktree/x',
    'bisect/bad',
    'rewritten/x',
  ];
  const pushed = await work.push([...own, `notes/${'n'.repeat(255)}`].map((name) => `HEAD:refs/${name}`));
  t.is(pushed.code, 1);
  const rejections = Object.values(pushed.refs);
  t.is(rejections.length, own.length + 1);
  for (const message of rejections) t.regex(message, /remote rejected.*own, or are not taken/);
  t.deepEqual(Object.keys(await refsIn(app, project)), ['refs/heads/main']);
});

test('an empty project takes a note, which makes no default branch', async (t) => {
  const project = await app.build.project({ empty: true });
  const work = await workTree(t, app, project, { as: project.owner, fresh: true });
  await work.commit('a.txt');
  t.is((await work.push(['HEAD:refs/notes/commits'])).code, 0);
  const owner = app.as(project.owner);
  t.deepEqual((await owner.get(`/projects/${project.id}/protected_branches`)).body, []);
  t.deepEqual((await owner.get(`/projects/${project.id}/repository/branches`)).body, []);
  t.is((await work.push(['HEAD:refs/heads/trunk'])).code, 0);
  t.is((await owner.get(`/projects/${project.id}`)).body.default_branch, 'trunk');
});

// Contract: git-http-1.other-refs-bound
test('a project keeps so many of them and no more; branches and tags are not counted', async (t) => {
  const project = await app.build.project();
  const sha = plainGit(getRepositoryPath(app.context(), project), ['rev-parse', 'main']).trim();
  await app.context().query(sql`
    insert into repository_refs (project_id, kind, full_name, name, object_sha, target_sha, created_at, updated_at)
    select ${project.id}, 'other', 'refs/changes/' || n, 'refs/changes/' || n, ${sha}, ${sha}, now(), now()
      from generate_series(1, 49999) n`);
  const work = await workTree(t, app, project, { as: project.owner });
  await work.commit('a.txt');
  const pushed = await work.push(['HEAD:refs/notes/last', 'HEAD:refs/notes/toomany', 'HEAD:refs/heads/more']);
  t.is(pushed.refs['refs/notes/last'], '[new reference]');
  t.is(pushed.refs['refs/heads/more'], '[new branch]');
  t.regex(pushed.refs['refs/notes/toomany'] ?? '', /keeps 50000 refs that are neither branches nor tags/);
});

test('a repair finds them in git, and forgets what git has not', async (t) => {
  const project = await app.build.project();
  const location = getRepositoryPath(app.context(), project);
  const work = await workTree(t, app, project, { as: project.owner });
  await work.commit('a.txt');
  t.is((await work.push(['HEAD:refs/notes/gone', 'HEAD:refs/notes/kept'])).code, 0);
  plainGit(location, ['update-ref', '-d', 'refs/notes/gone']);
  plainGit(location, ['update-ref', 'refs/changes/1/new', 'main']);
  plainGit(location, ['update-ref', `refs/keep-around/${await work.inside('rev-parse', 'HEAD')}`, 'refs/notes/kept']);
  const lines: string[] = [];
  const counts = await repairRepositories(app.context(), { project: String(project.id) }, (line) => lines.push(line));
  t.like(counts, { differed: 1, failed: 0 });
  t.deepEqual(
    lines.filter((line) => /keep-around/.test(line)),
    [],
  );
  const index = await app.context().query<{ name: string }>(sql`
    select r.full_name as "name" from repository_refs r where r.project_id = ${project.id} order by 1`);
  t.deepEqual(index.map(({ name }) => name).toSorted(), ['refs/changes/1/new', 'refs/heads/main', 'refs/notes/kept']);
});

test('a fork has branches and tags alone, and its clone is whole', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const work = await workTree(t, app, project, { as: project.owner });
  await work.commit('a.txt');
  t.is((await work.push(['HEAD:refs/notes/commits', 'HEAD:refs/heads/side'])).code, 0);
  const person = await app.build.user();
  const { body } = await app.as(person).post(`/projects/${project.id}/fork`);
  await app.work();
  t.deepEqual(await advertisedRefs({ full_path: body.path_with_namespace }, person), [
    'refs/heads/main',
    'refs/heads/side',
  ]);
  const copy = await workTree(t, app, { full_path: body.path_with_namespace }, { as: person });
  t.is(await copy.inside('fsck', '--connectivity-only'), '');
  t.truthy(join(copy.folder, '.git'));
});
