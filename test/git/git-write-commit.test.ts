import test from 'ava';
import fc from 'fast-check';
import {
  CommitActionError,
  writeCommit,
  InvalidGitInput,
  isValidFilePath,
  listRefs,
  readBlob,
  readCommits,
  readTree,
  RevisionNotFound,
  type CommitAction,
} from '../../shared/git/index.js';
import { ann, commitOn, emptyRepository, file, noon, plainGit } from './git-fixture.js';

const details = { message: 'A change', author: ann, committer: ann, at: noon };

function update(file_path: string, text: string, rest: Partial<CommitAction> = {}): CommitAction {
  return { action: 'update', file_path, content: Buffer.from(text), ...rest };
}

async function getPaths(repository: string, sha: string): Promise<string[]> {
  const entries = (await readTree(repository, sha, 1000, { recursive: true }))!.entries;
  return entries.filter((entry) => entry.type !== 'tree').map((entry) => `${entry.mode.slice(3)} ${entry.path}`);
}

test('a first commit holds its files, message and people, and moves no branch', async (t) => {
  const repository = await emptyRepository(t);
  const committer = { name: ' <Bob>\n ', email: 'bob@example.com\n' };
  const message = 'Título\n\nwithout a last line end';
  const actions = [file('README.md', '# Hi\n'), file('src/a/b.ts'), file('src/a.ts'), file('src-x'), file('ünï')];
  const { sha, tree } = await writeCommit(repository, { ...details, baseSha: null, message, committer, actions });
  t.deepEqual(await listRefs(repository), []);
  const commit = (await readCommits(repository, [sha])).get(sha)!;
  t.like(commit, { tree, message, parent_ids: [], author_name: 'Ann Example', committer_name: 'Bob' });
  t.is(commit.committer_email, 'bob@example.com');
  t.is(commit.committed_date, '2030-01-01T12:00:00+00:00');
  t.deepEqual(await getPaths(repository, sha), [
    '644 README.md',
    '644 src-x',
    '644 src/a.ts',
    '644 src/a/b.ts',
    '644 ünï',
  ]);
  t.is((await readBlob(repository, sha, 'README.md', 1_000_000))!.content.toString(), '# Hi\n');
  t.is(plainGit(repository, ['fsck', '--strict', '--no-dangling', '--full']), '');
});

test('every kind of action changes what it names and nothing else', async (t) => {
  const repository = await emptyRepository(t);
  const base = await commitOn(repository, null, [
    file('keep/this'),
    file('a'),
    file('d/old'),
    file('d/gone'),
    file('only/one'),
    file('deep/er/x'),
    { ...file('tool'), execute_filemode: true },
  ]);
  const sha = await commitOn(repository, base, [
    update('a', 'new a'),
    update('tool', 'new tool'),
    { action: 'delete', file_path: 'd/gone' },
    { action: 'move', previous_path: 'd/old', file_path: 'e/new' },
    { action: 'move', previous_path: 'only/one', file_path: 'only', content: Buffer.from('now a file') },
    { action: 'chmod', file_path: 'deep/er/x', execute_filemode: true },
    file('later'),
    update('later', 'twice'),
  ]);
  t.deepEqual(await getPaths(repository, sha), [
    '644 a',
    '755 deep/er/x',
    '644 e/new',
    '644 keep/this',
    '644 later',
    '644 only',
    '755 tool',
  ]);
  const content = async (path: string): Promise<string> =>
    (await readBlob(repository, sha, path, 1_000_000))!.content.toString();
  t.is(await content('a'), 'new a');
  t.is(await content('e/new'), 'd/old\n');
  t.is(await content('only'), 'now a file');
  t.is(await content('later'), 'twice');
  t.is(plainGit(repository, ['fsck', '--strict', '--no-dangling', '--full']), '');
});

test('actions that do not fit the base say which file and why', async (t) => {
  const repository = await emptyRepository(t);
  const base = await commitOn(repository, null, [file('a'), file('d/x')]);
  const cases: [CommitAction, string][] = [
    [file('a'), 'file_exists'],
    [file('d'), 'file_exists'],
    [file('a/b'), 'file_exists'],
    [update('nope', ''), 'file_missing'],
    [update('d', ''), 'file_missing'],
    [update('d/x/y', ''), 'file_missing'],
    [{ action: 'update', file_path: 'a' }, 'content_missing'],
    [{ action: 'delete', file_path: 'd' }, 'file_missing'],
    [{ action: 'chmod', file_path: 'nope' }, 'file_missing'],
    [{ action: 'move', previous_path: 'nope', file_path: 'b' }, 'file_missing'],
    [{ action: 'move', previous_path: 'a', file_path: 'd/x' }, 'file_exists'],
    [{ action: 'move', file_path: 'b' }, 'invalid_path'],
  ];
  for (const [action, problem] of cases) {
    const attempt = writeCommit(repository, { ...details, baseSha: base, actions: [action] });
    const error = await t.throwsAsync(attempt, { instanceOf: CommitActionError }, JSON.stringify(action));
    t.is(error!.problem as string, problem, JSON.stringify(action));
  }
  const twice = writeCommit(repository, { ...details, baseSha: null, actions: [file('a'), file('a')] });
  await t.throwsAsync(twice, { message: 'A file with this name already exists' });
});

test('a file that changed since the caller saw it is not overwritten', async (t) => {
  const repository = await emptyRepository(t);
  const one = await commitOn(repository, null, [file('a'), file('b')]);
  const two = await commitOn(repository, one, [update('a', 'new')]);
  const change = (action: CommitAction): Promise<unknown> =>
    writeCommit(repository, { ...details, baseSha: two, actions: [action] });
  await t.throwsAsync(change(update('a', 'mine', { last_commit_id: one })), {
    message: 'You are attempting to update a file that has changed since you started editing it.',
  });
  await t.notThrowsAsync(change(update('a', 'mine', { last_commit_id: two })));
  await t.notThrowsAsync(change({ action: 'delete', file_path: 'b', last_commit_id: one }));
  await t.throwsAsync(change(update('nope', '', { last_commit_id: one })), { code: 'file_missing' });
});

test('paths that could harm a checkout are refused', async (t) => {
  const repository = await emptyRepository(t);
  const bad = [
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    '../a',
    'a/../b',
    'a/./b',
    '.git',
    '.git/config',
    'a/.GIT/x',
    '.Git ',
    '.git.',
    'git~1',
    'GIT~1/x',
    '.git::$INDEX_ALLOCATION',
    '.g\u200cit',
    'a\0b',
    'a\nb',
    'a\\..\\b',
    '.git\\x',
    'x'.repeat(256),
  ];
  for (const path of bad) {
    t.false(isValidFilePath(path), path);
    const attempt = writeCommit(repository, { ...details, baseSha: null, actions: [file(path)] });
    await t.throwsAsync(attempt, { instanceOf: CommitActionError, code: 'invalid_path' }, path);
  }
  for (const path of ['a', '.gitignore', '.github/x', 'a b', '-x', '*', 'a..b', '...', 'git', 'a\\b', ':(top)x']) {
    t.true(isValidFilePath(path), path);
  }
});

test('what only fsck can see is refused too', async (t) => {
  const repository = await emptyRepository(t);
  const content = '[submodule "../../x"]\n\tpath = x\n\turl = --upload-pack=evil\n';
  const attempt = writeCommit(repository, { ...details, baseSha: null, actions: [file('.gitmodules', content)] });
  await t.throwsAsync(attempt, { instanceOf: InvalidGitInput });
});

test('a bad base or message is refused', async (t) => {
  const repository = await emptyRepository(t);
  const nowhere = writeCommit(repository, { ...details, baseSha: 'a'.repeat(40), actions: [] });
  await t.throwsAsync(nowhere, { instanceOf: RevisionNotFound });
  await t.throwsAsync(writeCommit(repository, { ...details, baseSha: 'main', actions: [] }), {
    instanceOf: InvalidGitInput,
  });
  const nul = writeCommit(repository, { ...details, baseSha: null, message: 'a\0', actions: [] });
  await t.throwsAsync(nul, { instanceOf: InvalidGitInput });
});

test('the last file can be deleted, and a commit may change nothing', async (t) => {
  const repository = await emptyRepository(t);
  const one = await commitOn(repository, null, [file('d/e/a')]);
  const two = await commitOn(repository, one, [{ action: 'delete', file_path: 'd/e/a' }]);
  const three = await commitOn(repository, two, []);
  t.deepEqual((await readTree(repository, two, 1000))?.entries, []);
  t.deepEqual((await readTree(repository, three, 1000))?.entries, []);
});

test('modes, submodules, links and names that are not UTF-8 survive a commit beside them', async (t) => {
  const repository = await emptyRepository(t);
  const blob = plainGit(repository, ['hash-object', '-w', '--stdin'], 'x').trim();
  const entries = `100644 blob ${blob}\ta.b\n120000 blob ${blob}\tlink\n160000 commit ${'b'.repeat(40)}\tsub\n100755 blob ${blob}\t"\\377"\n`;
  const tree = plainGit(repository, ['mktree'], entries).trim();
  const base = plainGit(repository, ['commit-tree', tree, '-m', 'x']).trim();
  const sha = await commitOn(repository, base, [file('a/x'), update('link', 'target', { execute_filemode: true })]);
  const back = await commitOn(repository, sha, [{ action: 'delete', file_path: 'a/x' }, update('link', 'x')]);
  t.is((await readBlob(repository, sha, 'link', 1_000_000))!.mode, '120000');
  t.is(plainGit(repository, ['rev-parse', `${back}^{tree}`]).trim(), tree);
});

test('a commit of many files becomes one pack', async (t) => {
  const repository = await emptyRepository(t);
  const actions = Array.from({ length: 300 }, (_, index) => file(`d${index % 7}/f${index}`));
  const sha = await commitOn(repository, null, actions);
  t.is((await getPaths(repository, sha)).length, 300);
  t.regex(plainGit(repository, ['count-objects', '-v']), /^packs: 1$/m);
});

test('commits written at the same time do not disturb each other', async (t) => {
  const repository = await emptyRepository(t);
  const base = await commitOn(repository, null, [file('shared/a')]);
  const shas = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      commitOn(repository, base, [file(`shared/f${index}`)], { branch: `b${index}` }),
    ),
  );
  t.is(new Set(shas).size, 12);
  for (const [index, sha] of shas.entries()) {
    t.deepEqual(await getPaths(repository, sha), ['644 shared/a', `644 shared/f${index}`]);
  }
  t.is(plainGit(repository, ['fsck', '--strict', '--no-dangling', '--full']), '');
});

test('any sequence of fitting changes leaves exactly the files it should, in trees that git finds sound', async (t) => {
  const repository = await emptyRepository(t);
  const path = fc
    .array(fc.constantFrom('a', 'b', 'a.b', 'a-b', 'a0'), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('/'));
  const step = fc.array(fc.record({ path, remove: fc.boolean() }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
      const expected = new Set<string>();
      let base: string | null = null;
      for (const changes of steps) {
        const actions = changes.flatMap((change) => fittingAction(expected, change));
        base = (await writeCommit(repository, { ...details, baseSha: base, actions })).sha;
      }
      const found = (await getPaths(repository, base!)).map((line) => line.slice(4));
      t.deepEqual(found.sort(), [...expected].sort());
    }),
    { numRuns: 60 },
  );
  plainGit(repository, ['fsck', '--strict', '--full']);
});

function fittingAction(files: Set<string>, { path, remove }: { path: string; remove: boolean }): CommitAction[] {
  if (files.has(path)) {
    if (!remove) return [update(path, path)];
    files.delete(path);
    return [{ action: 'delete', file_path: path }];
  }
  const blocked = [...files].some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`));
  if (blocked) return [];
  files.add(path);
  return [file(path)];
}
