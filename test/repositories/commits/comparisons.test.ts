import test from 'ava';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { plainGit } from '../../git/git-fixture.js';

const app = useApp(test);

interface ComparisonResponse {
  commit: { id: string; title: string } | null;
  commits: { id: string; title: string; author_email: string }[];
  diffs: { new_path: string; diff: string; too_large: boolean }[];
  compare_timeout: boolean;
  compare_same_ref: boolean;
  web_url: string;
}

/** Commits a file to a branch; its name is the title. */
function committer(owner: BuiltUser, id: number) {
  return async (branch: string, name: string, attributes: object = {}): Promise<string> => {
    const { status, body, text } = await app.as(owner).post(`/projects/${id}/repository/commits`, {
      branch,
      commit_message: name,
      actions: [{ action: 'create', file_path: name, content: `${name}\n` }],
      ...attributes,
    });
    if (status !== 201) throw new Error(text);
    return body.id as string;
  };
}

/** `main` has one commit, `side` two, beyond the one that both have. */
async function twoBranches() {
  const project = await app.build.project({ visibility: 'public' });
  const commit = committer(project.owner, project.id);
  await commit('side', 'one', { start_branch: 'main' });
  await commit('side', 'two');
  await commit('main', 'other');
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}/repository`;
  const compare = async (query: string) => (await owner.get(`${path}/compare?${query}`)).body as ComparisonResponse;
  return { project, owner, path, commit, compare };
}

const titles = (comparison: ComparisonResponse) => comparison.commits.map(({ title }) => title);
const paths = (comparison: ComparisonResponse) => comparison.diffs.map((file) => file.new_path);

// Contract: repository-api.compare
test('a comparison tells commits, oldest first, and how files differ from the commit that both come from', async (t) => {
  const { compare, project } = await twoBranches();
  const comparison = await compare('from=main&to=side');
  t.deepEqual(Object.keys(comparison), [
    'commit',
    'commits',
    'diffs',
    'compare_timeout',
    'compare_same_ref',
    'web_url',
  ]);
  t.deepEqual(titles(comparison), ['one', 'two']);
  t.deepEqual(comparison.commit, comparison.commits[1] as ComparisonResponse['commit']);
  t.deepEqual(paths(comparison), ['one', 'two']);
  t.is(comparison.diffs[0]?.diff, '@@ -0,0 +1 @@\n+one\n');
  t.like(comparison, { compare_timeout: false, compare_same_ref: false });
  t.is(comparison.web_url, `http://capstan.test/${project.full_path}/-/compare/main...side`);
  const straight = await compare('from=main&to=side&straight=true');
  t.deepEqual(titles(straight), ['one', 'two']);
  t.deepEqual(paths(straight), ['one', 'other', 'two']);
  t.regex(straight.web_url, /main\.\.side$/);
});

// Contract: repository-api.compare
test('branches, tags and commits are compared with themselves, and with histories that they never meet', async (t) => {
  const { compare, owner, path, project } = await twoBranches();
  await owner.post(`${path}/tags`, { tag_name: 'v1', ref: 'side' });
  const same = await compare('from=v1&to=side');
  t.deepEqual(same.commit, null);
  t.like(same, { commits: [], diffs: [], compare_same_ref: true, compare_timeout: false });
  const repository = getRepositoryPath(app.context(), project);
  const alone = plainGit(repository, ['commit-tree', 'side^{tree}', '-m', 'Alone']).trim();
  const comparison = await compare(`from=main&to=${alone}`);
  t.deepEqual(titles(comparison), ['Alone']);
  t.deepEqual(paths(comparison), ['one', 'other', 'two'], 'all that differs');
});

// Contract: repository-api.compare, repository-api.diff-unidiff
test('unidiff puts the header of each file in front of its hunks', async (t) => {
  const { compare, owner, path, commit } = await twoBranches();
  const sha = await commit('side', 'three', {
    actions: [
      { action: 'update', file_path: 'one', content: 'ONE\n' },
      { action: 'delete', file_path: 'two' },
      { action: 'create', file_path: 'three', content: 'three\n' },
      { action: 'chmod', file_path: 'README.md', execute_filemode: true },
      { action: 'create', file_path: 'x.bin', content: 'AAEC', encoding: 'base64' },
    ],
  });
  const { body } = await owner.get(`${path}/commits/${sha}/diff?unidiff=true`);
  const byPath = Object.fromEntries((body as ComparisonResponse['diffs']).map((file) => [file.new_path, file.diff]));
  t.is(byPath.one, '--- a/one\n+++ b/one\n@@ -1 +1 @@\n-one\n+ONE\n');
  t.is(byPath.two, '--- a/two\n+++ /dev/null\n@@ -1 +0,0 @@\n-two\n');
  t.is(byPath.three, '--- /dev/null\n+++ b/three\n@@ -0,0 +1 @@\n+three\n');
  t.is(byPath['README.md'], '');
  t.is(byPath['x.bin'], 'Binary files /dev/null and b/x.bin differ\n');
  const comparison = await compare('from=main&to=side&unidiff=true');
  t.true(comparison.diffs.some(({ diff }) => diff.startsWith('--- /dev/null\n+++ b/one\n@@')));
});

// Contract: repository-api.compare
test('a ref that is not there is 404, one that is missing 400, and who may not read code is told nothing', async (t) => {
  const { owner, path, project } = await twoBranches();
  for (const query of [
    'from=gone&to=main',
    'from=main&to=gone',
    `from=${'a'.repeat(40)}&to=main`,
    'from=main~1&to=main',
  ]) {
    const { status, body } = await owner.get(`${path}/compare?${query}`);
    t.deepEqual([status, body], [404, { message: '404 Ref Not Found' }], query);
  }
  t.deepEqual((await owner.get(`${path}/compare?from=main`)).body, { error: 'to is missing' });
  t.deepEqual((await owner.get(`${path}/compare?from=&to=main`)).body, { error: 'from is empty' });
  t.is((await app.anonymous.get(`${path}/compare?from=main&to=side`)).status, 200);
  await app.context().query(sql`update projects set visibility = 'private' where id = ${project.id}`);
  t.is((await app.anonymous.get(`${path}/compare?from=main&to=side`)).status, 404);
  t.is((await app.as(await app.build.member(project, 'guest')).get(`${path}/compare?from=main&to=side`)).status, 403);
});

// Contract: repository-api.compare-cut
test('a comparison of more than 3,000 files tells 3,000 and says that there are more', async (t) => {
  const { project, compare } = await twoBranches();
  const repository = getRepositoryPath(app.context(), project);
  const blob = plainGit(repository, ['hash-object', '-w', '--stdin'], 'x\n').trim();
  const lines = Array.from({ length: 3100 }, (_, index) => `100644 blob ${blob}\tf${String(index).padStart(5, '0')}\n`);
  const tree = plainGit(repository, ['mktree'], lines.join('')).trim();
  const main = plainGit(repository, ['rev-parse', 'main']).trim();
  const sha = plainGit(repository, ['commit-tree', tree, '-p', main, '-m', 'Many']).trim();
  const comparison = await compare(`from=main&to=${sha}`);
  t.is(comparison.diffs.length, 3000);
  t.true(comparison.compare_timeout);
});

// Contract: repository-api.compare-projects
test('a fork is compared with what it comes from, in both directions, as long as the caller reads both', async (t) => {
  const { project, commit } = await twoBranches();
  const forker = await app.build.user();
  const { body: fork } = await app.as(forker).post(`/projects/${project.id}/fork`, {});
  await app.work();
  await committer(forker, fork.id)('main', 'in the fork');
  await commit('main', 'upstream again');
  const compare = async (id: number, query: string) =>
    app.as(forker).get(`/projects/${id}/repository/compare?${query}`);
  const ahead = (await compare(fork.id, `from=main&to=main&from_project_id=${project.id}`)).body as ComparisonResponse;
  t.deepEqual([titles(ahead), paths(ahead)], [['in the fork'], ['in the fork']]);
  const behind = (await compare(project.id, `from=main&to=main&from_project_id=${fork.id}`)).body as ComparisonResponse;
  t.deepEqual([titles(behind), paths(behind)], [['upstream again'], ['upstream again']]);

  const stranger = await app.build.project({ visibility: 'public' });
  const unrelated = await compare(fork.id, `from=main&to=main&from_project_id=${stranger.id}`);
  t.deepEqual(
    [unrelated.status, unrelated.body],
    [400, { message: `Target project id:${stranger.id} is not a fork of project id:${fork.id}` }],
  );
  await app.context().query(sql`update projects set visibility = 'private' where id = ${project.id}`);
  for (const id of [project.id, 987_654_321]) {
    const hidden = await compare(fork.id, `from=main&to=main&from_project_id=${id}`);
    t.deepEqual([hidden.status, hidden.body], [404, { message: '404 Project Not Found' }]);
  }
});

// Contract: repository-api.merge-base
test('the merge base is the newest commit that all refs have', async (t) => {
  const { owner, path } = await twoBranches();
  const initial = (await owner.get(`${path}/commits?ref_name=main`)).body.at(-1) as { id: string };
  const base = async (refs: string[]) =>
    owner.get(`${path}/merge_base?${refs.map((ref) => `refs[]=${encodeURIComponent(ref)}`).join('&')}`);
  const { status, body } = await base(['main', 'side']);
  t.deepEqual([status, body.id, body.title], [200, initial.id, 'Initial commit']);
  t.is((await base(['side', 'side', 'refs/heads/side'])).body.title, 'two');
  t.is((await base(['main', 'side', initial.id])).body.id, initial.id);
});

// Contract: repository-api.merge-base
test('a merge base of one ref, of unknown ones, or of histories that never meet is refused', async (t) => {
  const { owner, path, project } = await twoBranches();
  const ask = async (query: string) => {
    const { status, body } = await owner.get(`${path}/merge_base?${query}`);
    return [status, body];
  };
  t.deepEqual(await ask('refs[]=main'), [400, { message: 'Provide at least 2 refs' }]);
  t.deepEqual(await ask(''), [400, { error: 'refs is missing' }]);
  t.deepEqual(await ask('refs[]=main&refs[]=x'), [400, { message: 'Could not find ref: x' }]);
  t.deepEqual(await ask('refs[]=y&refs[]=main&refs[]=x'), [400, { message: 'Could not find refs: y, x' }]);
  const alone = plainGit(getRepositoryPath(app.context(), project), [
    'commit-tree',
    'side^{tree}',
    '-m',
    'Alone',
  ]).trim();
  t.deepEqual(await ask(`refs[]=main&refs[]=${alone}`), [404, { message: '404 Merge Base Not Found' }]);
  t.is((await ask(Array.from({ length: 21 }, () => 'refs[]=main').join('&')))[0], 400);
});

// Contract: repository-api.contributors
test('contributors are counted by address, merges left out, in the order that is asked for', async (t) => {
  const { owner, path, commit, project } = await twoBranches();
  const ann = { author_name: 'ann', author_email: 'ann@example.com' };
  for (const name of ['a', 'b', 'c', 'd']) await commit('main', name, ann);
  await commit('main', 'e', { ...ann, author_name: 'Ann Example' });
  await commit('main', 'f', { author_name: 'Zoe', author_email: 'zoe@example.com' });
  const repository = getRepositoryPath(app.context(), project);
  plainGit(repository, ['commit-tree', 'main^{tree}', '-p', 'main', '-p', 'side', '-m', 'Merge']);
  interface Person {
    name: string;
    email: string;
    commits: number;
  }
  const list = async (query: string) => (await owner.get(`${path}/contributors?${query}`)).body as Person[];
  const all = await list('');
  const own = { name: project.owner.name, commits: 2, additions: 0, deletions: 0 };
  t.deepEqual(
    all.map(({ name, commits }) => [name, commits]),
    [
      ['Zoe', 1],
      [own.name, 2],
      ['Ann Example', 5],
    ],
  );
  t.deepEqual(Object.keys(all[0]!), ['name', 'email', 'commits', 'additions', 'deletions']);
  t.like(all[2], { email: 'ann@example.com', additions: 0, deletions: 0 });
  t.deepEqual(await list('sort=desc'), all.toReversed());
  t.is((await list('order_by=name'))[0]?.name, 'Ann Example');
  t.is((await list('order_by=email&sort=desc'))[0]?.email, 'zoe@example.com');
  t.is((await list('ref=side')).length, 1);
  const paged = await owner.get(`${path}/contributors?per_page=2&page=2`);
  t.deepEqual([paged.body, paged.headers.get('x-total')], [all.slice(2), '3']);
  t.deepEqual((await owner.get(`${path}/contributors?ref=gone`)).body, { message: '404 Ref Not Found' });
  const empty = await app.build.project({ empty: true });
  t.deepEqual((await app.as(empty.owner).get(`/projects/${empty.id}/repository/contributors`)).body, []);
});
