import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import test from 'ava';
import { gitEnvironment, updateRefs } from '../../../shared/git/index.js';
import { findProject } from '../../../shared/tenancy/projects/project.finder.js';
import { UserCaller } from '../../../shared/core/context/callers.js';
import { importFromUrl } from '../../../shared/repositories/project-imports/import-from-url.js';
import { sql } from 'kysely';
import { getRepositoryPath, writeRefs } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';
import { remoteRepository, serveGit, webServer } from '../../git/git-remote.js';

const app = useApp(test);

test.before('let the service fetch from this machine', () =>
  app.set({ allow_local_requests_from_web_hooks_and_services: true }),
);

const ID = 'a'.repeat(40);
/** Names that are invalid for branches and tags everywhere. */
const UNFIT = [ID, ID.toUpperCase(), `${'b'.repeat(64)}`, `${ID}/x`, 'HEAD', '@', '-x', 'refs/heads/main'];

const git = (repository: string, ...args: string[]) =>
  execFileSync('git', ['-C', repository, ...args], { env: gitEnvironment() })
    .toString()
    .trim();
const getNames = async (user: BuiltUser, id: number, kind: 'branches' | 'tags') =>
  (await app.as(user).get(`/projects/${id}/repository/${kind}`)).body.map(({ name }: { name: string }) => name);

// Contract: core-5.import_url.names
test.serial('an import leaves out branches and tags whose names may not come in, and says which', async (t) => {
  const repository = await remoteRepository(t);
  const sha = git(repository, 'rev-parse', 'trunk');
  for (const name of ['HEAD', '-x', 'refs/heads/main', ID.toUpperCase()])
    git(repository, 'update-ref', `refs/heads/${name}`, sha);
  git(repository, 'update-ref', `refs/tags/${ID}`, sha);
  const url = await webServer(t, (request, response) => serveGit(repository, request, response));
  const user = await app.build.user();
  const { body } = await app.as(user).post('/projects', { name: `Names ${unique()}`, import_url: url });
  await app.work();
  await importFromUrl(app.context(), body.id, null);
  const after = (await app.as(user).get(`/projects/${body.id}`)).body;
  t.like(after, { import_status: 'finished', default_branch: 'trunk' });
  for (const name of ['refs/heads/HEAD', 'refs/heads/-x', 'refs/heads/refs/heads/main', `refs/tags/${ID}`])
    t.true(after.import_error.includes(name), name);
  t.deepEqual(await getNames(user, body.id, 'branches'), ['side', 'trunk']);
  t.deepEqual(await getNames(user, body.id, 'tags'), ['v1']);
  const left = git(getRepositoryPath(app.context(), body), 'for-each-ref', '--format=%(refname)');
  t.deepEqual(left.split('\n'), ['refs/heads/side', 'refs/heads/trunk', 'refs/tags/v1']);
});

test.serial('a repository with more branches than the service takes is not imported, and says so', async (t) => {
  const repository = await remoteRepository(t);
  const sha = git(repository, 'rev-parse', 'trunk');
  const refs = Array.from({ length: 50_001 }, (_, index) => `${sha} refs/heads/b${index}\n`);
  await writeFile(`${repository}/packed-refs`, refs.join(''));
  const url = await webServer(t, (request, response) => serveGit(repository, request, response));
  const user = await app.build.user();
  const { body } = await app.as(user).post('/projects', { name: `Many ${unique()}`, import_url: url });
  await app.work();
  t.like((await app.as(user).get(`/projects/${body.id}`)).body, {
    import_status: 'failed',
    import_error: 'The remote repository has more than 50000 branches and tags.',
  });
});

// Contract: core-5.import_url.names
test('no door lets a branch or tag in by a name that it may not have', async (t) => {
  const { owner, id } = await app.build.project();
  const as = app.as(owner);
  const commit = { content: 'x', commit_message: 'x' };
  for (const name of UNFIT) {
    const doors = {
      branches: () => as.post(`/projects/${id}/repository/branches`, { branch: name, ref: 'main' }),
      tags: () => as.post(`/projects/${id}/repository/tags`, { tag_name: name, ref: 'main' }),
      files: () => as.post(`/projects/${id}/repository/files/a.txt`, { ...commit, branch: name, start_branch: 'main' }),
      commits: () =>
        as.post(`/projects/${id}/repository/commits`, {
          branch: name,
          start_branch: 'main',
          commit_message: 'x',
          actions: [{ action: 'create', file_path: 'b.txt', content: 'x' }],
        }),
      projects: () =>
        as.post('/projects', { name: `Named ${unique()}`, initialize_with_readme: true, default_branch: name }),
    };
    for (const [door, knock] of Object.entries(doors)) t.is((await knock()).status, 400, `${door}: ${name}`);
    const ctx = app.context(new UserCaller(owner));
    const found = await findProject(ctx, id);
    const sha = { object_sha: ID, target_sha: ID };
    await t.throwsAsync(
      ctx.transaction(() => writeRefs(ctx, found, [{ fullName: `refs/heads/${name}`, from: null, to: sha }])),
      { message: /not a name for a ref/ },
    );
  }
  t.deepEqual(await getNames(owner, id, 'branches'), ['main']);
  t.deepEqual(await getNames(owner, id, 'tags'), []);
});

/** A project where a branch of older days is called like the id of another commit, and one like a full ref. */
async function misnamed() {
  const { owner, id } = await app.build.project();
  const as = app.as(owner);
  const first = (await as.get(`/projects/${id}/repository/commits/main`)).body.id as string;
  await as.post(`/projects/${id}/repository/files/evil.txt`, {
    branch: 'main',
    content: 'evil',
    commit_message: 'Evil',
  });
  const evil = (await as.get(`/projects/${id}/repository/commits/main`)).body.id as string;
  const location = getRepositoryPath(app.context(), { id });
  for (const name of [first, `${first.toUpperCase()}`, 'refs/heads/main', 'HEAD']) {
    const fullName = `refs/heads/${name}`;
    await updateRefs(location, [{ ref: fullName, new: evil }]);
    await app.context().query(sql`
      insert into repository_refs (project_id, kind, full_name, name, object_sha, target_sha, created_at, updated_at)
      values (${id}, 'branch', ${fullName}, ${name}, ${evil}, ${evil}, now(), now())`);
  }
  return { owner, id, as, first, evil };
}

// Contract: core-5.import_url.names
test('a full id is that commit, whatever a branch is called', async (t) => {
  const { id, as, first, evil } = await misnamed();
  const at = `/projects/${id}/repository`;
  for (const name of [first, first.toUpperCase()]) {
    t.is((await as.get(`${at}/commits/${name}`)).body.id, first);
    t.is((await as.get(`${at}/files/evil.txt?ref=${name}`)).status, 404);
    t.is((await as.get(`${at}/files/evil.txt/raw?ref=${name}`)).status, 404);
    t.is((await as.get(`${at}/files/evil.txt/blame?ref=${name}`)).status, 404);
    const tree = (await as.get(`${at}/tree?ref=${name}`)).body;
    t.false(tree.some((entry: { path: string }) => entry.path === 'evil.txt'));
    t.is((await as.get(`${at}/commits?ref_name=${name}`)).body[0].id, first);
    const branch = `from-${unique()}`;
    t.is((await as.post(`${at}/branches`, { branch, ref: name })).body.commit.id, first);
    t.is((await as.post(`${at}/tags`, { tag_name: branch, ref: name })).body.commit.id, first);
    const status = await as.post(`/projects/${id}/statuses/${name}`, { state: 'success', name: branch });
    t.is(status.body.sha, first);
    const pipeline = await as.post(`/projects/${id}/pipeline`, { ref: name });
    t.is(pipeline.status, 400);
    const schedule = { description: 'x', cron: '0 1 * * *', ref: name };
    t.is((await as.post(`/projects/${id}/pipeline_schedules`, schedule)).status, 400);
  }
  t.is((await as.get(`${at}/commits/refs%2Fheads%2Fmain`)).body.id, evil);
  await as.post(`${at}/files/later.txt`, { branch: 'main', content: 'x', commit_message: 'Later' });
  const head = (await as.get(`${at}/branches/main`)).body.commit.id;
  t.is((await as.get(`${at}/commits/refs%2Fheads%2Fmain`)).body.id, head);
  t.is((await as.get(`${at}/commits/HEAD`)).body.id, head);
});

// Contract: core-5.import_url.names
test('a fork leaves the misnamed branches of its upstream behind, and says so', async (t) => {
  const { owner, id, first } = await misnamed();
  const forker = await app.build.member({ id }, 'maintainer');
  const fork = (await app.as(forker).post(`/projects/${id}/fork`)).body;
  await app.work();
  const after = (await app.as(forker).get(`/projects/${fork.id}`)).body;
  t.is(after.import_status, 'finished');
  t.true(after.import_error.includes(`refs/heads/${first}`));
  t.deepEqual(await getNames(forker, fork.id, 'branches'), ['main']);
  t.is((await app.as(owner).post(`/projects/${id}/fork`, { branches: first, path: 'one' })).status, 404);
});
