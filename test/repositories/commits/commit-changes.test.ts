import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';

const app = useApp(test);

interface Changed {
  old_path: string;
  new_path: string;
  diff: string;
  too_large: boolean;
  collapsed: boolean;
}

async function projectWithFiles(actions: Record<string, unknown>[]) {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}/repository/commits`;
  const commit = async (commitActions: Record<string, unknown>[]): Promise<string> => {
    const { status, body, text } = await owner.post(path, {
      branch: 'main',
      commit_message: 'A change',
      actions: commitActions,
    });
    if (status !== 201) throw new Error(text);
    return body.id as string;
  };
  const first = await commit(actions);
  return { project, owner, path, commit, first };
}

const create = (file_path: string, content: string) => ({ action: 'create', file_path, content });
const LINES = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');

// Contract: delivery-6.diff
test('the diff of a commit tells each file that differs, with all of its keys', async (t) => {
  const { owner, path, commit } = await projectWithFiles([
    create('changed.txt', 'one\ntwo\n'),
    create('deleted.txt', 'gone\n'),
    create('from.txt', LINES),
    create('run', '#!/bin/sh\n'),
    { ...create('x.bin', Buffer.from([0, 1, 2]).toString('base64')), encoding: 'base64' },
  ]);
  const sha = await commit([
    { action: 'update', file_path: 'changed.txt', content: 'one\n2\n' },
    { action: 'delete', file_path: 'deleted.txt' },
    { action: 'move', previous_path: 'from.txt', file_path: 'to.txt', content: LINES.replace('line 7', 'line seven') },
    { action: 'chmod', file_path: 'run', execute_filemode: true },
    { action: 'update', file_path: 'x.bin', content: Buffer.from([0, 9]).toString('base64'), encoding: 'base64' },
    create('lib/app.min.js', 'x'),
    create('say "ünï" now', 'tab\n'),
  ]);
  const { status, body, headers } = await owner.get(`${path}/${sha}/diff`);
  t.is(status, 200);
  t.is(headers.get('x-total'), '7');
  const plain = { new_file: false, renamed_file: false, deleted_file: false, generated_file: false };
  const same = { a_mode: '100644', b_mode: '100644', ...plain, collapsed: false, too_large: false };
  const at = (old_path: string, new_path = old_path) => ({ old_path, new_path });
  const byPath = new Map((body as Changed[]).map((file) => [file.new_path, file]));
  t.deepEqual(byPath.get('changed.txt') as object, {
    ...same,
    ...at('changed.txt'),
    diff: '@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
  });
  t.deepEqual(byPath.get('deleted.txt') as object, {
    ...same,
    ...at('deleted.txt'),
    b_mode: '0',
    deleted_file: true,
    diff: '@@ -1 +0,0 @@\n-gone\n',
  });
  t.like(byPath.get('to.txt'), { ...same, ...at('from.txt', 'to.txt'), renamed_file: true });
  t.regex(byPath.get('to.txt')?.diff ?? '', /^@@ -5,7 \+5,7 @@[^]*\n-line 7\n\+line seven\n/);
  t.deepEqual(byPath.get('run') as object, { ...same, ...at('run'), b_mode: '100755', diff: '' });
  t.like(byPath.get('x.bin'), { ...same, ...at('x.bin'), diff: 'Binary files a/x.bin and b/x.bin differ\n' });
  t.deepEqual(byPath.get('lib/app.min.js') as object, {
    ...same,
    ...at('lib/app.min.js'),
    a_mode: '0',
    new_file: true,
    generated_file: true,
    diff: '@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n',
  });
  t.is(byPath.get('say "ünï" now')?.diff, '@@ -0,0 +1 @@\n+tab\n');
});

// Contract: delivery-6.diff
test('the first commit differs in all of its files, and content that looks like a diff is content', async (t) => {
  const project = await app.build.project({ empty: true });
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}/repository/commits`;
  const content = 'diff --git a/x b/x\n@@ -1 +1 @@\n';
  await owner.post(path, {
    branch: 'main',
    commit_message: 'First',
    actions: [create('a', content), create('b', 'b')],
  });
  const { body } = await owner.get(`${path}/main/diff`);
  t.deepEqual(
    (body as Changed[]).map(({ new_path, diff }) => [new_path, diff]),
    [
      ['a', '@@ -0,0 +1,2 @@\n+diff --git a/x b/x\n+@@ -1 +1 @@\n'],
      ['b', '@@ -0,0 +1 @@\n+b\n\\ No newline at end of file\n'],
    ],
  );
});

// Contract: delivery-6.diff
test('the diff of a commit is paged, and the pages together are all of it', async (t) => {
  const names = Array.from({ length: 25 }, (_, index) => `f${String(index).padStart(2, '0')}`);
  const { owner, path, first } = await projectWithFiles(names.map((name) => create(name, `${name}\n`)));
  const all = (await owner.get(`${path}/${first}/diff?per_page=100`)).body as Changed[];
  t.deepEqual(
    all.map((file) => file.new_path),
    names,
  );
  const second = await owner.get(`${path}/${first}/diff?per_page=10&page=2`);
  t.deepEqual(second.body, all.slice(10, 20));
  t.deepEqual(
    ['x-total', 'x-total-pages', 'x-next-page', 'x-prev-page'].map((name) => second.headers.get(name)),
    ['25', '3', '3', '1'],
  );
  const past = await owner.get(`${path}/${first}/diff?per_page=10&page=4`);
  t.deepEqual([past.status, past.body, past.headers.get('x-total')], [200, [], '25']);
});

// Contract: delivery-6.diff
test('a file tells 200 KiB of hunks and a page 8 MiB: more is marked, and none of it sent', async (t) => {
  const big = `${'x'.repeat(99)}\n`.repeat(1900);
  const { owner, path, first } = await projectWithFiles([
    create('0-too-large', `${big}${big}`),
    create('1-one-line', 'y'.repeat(300_000)),
    ...Array.from({ length: 50 }, (_, index) => create(`f${String(index).padStart(2, '0')}`, big)),
  ]);
  const { status, body } = await owner.get(`${path}/${first}/diff?per_page=100`);
  t.is(status, 200);
  const [tooLarge, oneLine, ...others] = body as Changed[];
  t.like(tooLarge, { too_large: true, collapsed: false, diff: '' });
  t.like(oneLine, { too_large: true, collapsed: false, diff: '' });
  const collapsed = others.filter((file) => file.collapsed);
  t.true(collapsed.length > 0 && collapsed.length < 15);
  t.true(collapsed.every((file) => file.diff === '' && !file.too_large));
  t.true(others.every((file) => file.collapsed || file.diff.length > 190_000));
  const last = ((await owner.get(`${path}/${first}/diff?per_page=1&page=52`)).body as Changed[])[0];
  t.like(last, { new_path: 'f49', collapsed: false });
  t.true((last?.diff.length ?? 0) > 190_000);
});

// Contract: delivery-6.diff
test('a merge is compared with its first parent', async (t) => {
  const { owner, path, commit, project } = await projectWithFiles([create('base', 'base\n')]);
  const side = await owner.post(path, {
    branch: 'side',
    start_branch: 'main',
    commit_message: 'Side',
    actions: [create('from-side', 's\n')],
  });
  const main = await commit([create('from-main', 'm\n')]);
  // First commits the content of the merge to a separate branch.
  await owner.post(path, {
    branch: 'both',
    start_branch: 'main',
    commit_message: 'Both',
    actions: [create('from-side', 's\n')],
  });
  const parents = ['-p', main, '-p', side.body.id as string];
  const repository = getRepositoryPath(app.context(), project);
  const merge = plainGit(repository, ['commit-tree', 'both^{tree}', ...parents, '-m', 'Merge']).trim();
  const { body } = await owner.get(`${path}/${merge}/diff`);
  t.deepEqual(
    (body as Changed[]).map((file) => file.new_path),
    ['from-side'],
  );
});

// Contract: delivery-6.diff
test('what changed is read by whoever reads code, and a commit that is not there is 404', async (t) => {
  const { owner, path, first } = await projectWithFiles([create('a', 'a')]);
  for (const below of ['diff', 'merge_requests']) {
    t.is((await app.anonymous.get(`${path}/${first}/${below}`)).status, 404);
    t.is((await app.as(await app.build.user()).get(`${path}/${first}/${below}`)).status, 404);
    for (const sha of ['a'.repeat(40), 'nothing']) {
      const { status, body } = await owner.get(`${path}/${sha}/${below}`);
      t.deepEqual([status, body], [404, { message: '404 Commit Not Found' }], below);
    }
    t.is((await owner.get(`${path}/main/${below}`)).status, 200);
  }
});

// Contract: delivery-6.merge-requests
test('a commit that no merge request has is part of none', async (t) => {
  const { owner, path, first } = await projectWithFiles([create('a', 'a')]);
  const { status, body, headers } = await owner.get(`${path}/${first}/merge_requests`);
  t.deepEqual([status, body, headers.get('x-total')], [200, [], '0']);
});

test('@gitbeaker/rest reads the diff of a commit', async (t) => {
  const { project, first } = await projectWithFiles([create('a', 'a\n')]);
  const api = new Gitlab({ host: app.url, token: project.owner.token });
  const [file] = await api.Commits.showDiff(project.id, first);
  t.like(file, { new_path: 'a', new_file: true, diff: '@@ -0,0 +1 @@\n+a\n' });
  t.deepEqual(await api.Commits.allMergeRequests(project.id, first), []);
});
