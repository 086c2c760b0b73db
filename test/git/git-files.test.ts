import { text } from 'node:stream/consumers';
import test from 'ava';
import {
  blame,
  GitFailed,
  InvalidGitInput,
  lastCommitFor,
  openBlob,
  readBlob,
  readTree,
  RevisionNotFound,
} from '../../shared/git/index.js';
import { commitOn, emptyRepository, file, plainGit } from './git-fixture.js';

const nowhere = 'a'.repeat(40);

test('a tree is listed by folder or whole', async (t) => {
  const repository = await emptyRepository(t);
  await commitOn(repository, null, [file('a.txt'), file('d/e/ünï "q".txt'), file('d/x')]);
  const paths = async (options: Parameters<typeof readTree>[3]): Promise<string[] | undefined> =>
    (await readTree(repository, 'main', 100, options))?.entries.map(
      (entry) => `${entry.type} ${entry.mode} ${entry.name} ${entry.path}`,
    );
  t.deepEqual(await paths({}), ['blob 100644 a.txt a.txt', 'tree 040000 d d']);
  t.deepEqual(await paths({ path: 'd/' }), ['tree 040000 e d/e', 'blob 100644 x d/x']);
  t.deepEqual(await paths({ path: 'd', recursive: true }), [
    'tree 040000 e d/e',
    'blob 100644 ünï "q".txt d/e/ünï "q".txt',
    'blob 100644 x d/x',
  ]);
  t.is((await paths({ recursive: true }))!.length, 5);
  t.deepEqual(await paths({ path: '/' }), await paths({}));
  for (const path of ['a.txt', 'nope', '../d', '/d', ':(top)d', 'd*']) t.is(await paths({ path }), undefined, path);
  await t.throwsAsync(readTree(repository, 'nope', 100), { instanceOf: RevisionNotFound });
  await t.throwsAsync(readTree(repository, nowhere, 100), { instanceOf: RevisionNotFound });
});

test('a file is read with its id, size and mode, whole or its beginning', async (t) => {
  const repository = await emptyRepository(t);
  const content = Buffer.from([0, 255, 10, 13, 0, 1]);
  const sha = await commitOn(repository, null, [
    { action: 'create', file_path: 'bin/run', content, execute_filemode: true },
    file('empty', ''),
    file('-n'),
    file('*'),
  ]);
  const blob = await readBlob(repository, 'main', 'bin/run', 100);
  t.deepEqual(blob, {
    blob_id: plainGit(repository, ['rev-parse', 'main:bin/run']).trim(),
    size: 6,
    mode: '100755',
    content,
  });
  t.deepEqual((await readBlob(repository, sha, 'bin/run', 2))!.content, content.subarray(0, 2));
  t.is((await readBlob(repository, sha, 'bin/run', 0))!.size, 6);
  t.is((await readBlob(repository, sha, 'bin/run', 0))!.content.length, 0);
  t.is((await readBlob(repository, sha, 'empty', 100))!.size, 0);
  t.is((await readBlob(repository, sha, '-n', 100))!.content.toString(), '-n\n');
  t.is((await readBlob(repository, sha, '*', 100))!.content.toString(), '*\n');
  for (const path of ['bin', 'bin/', 'nope', '', '/bin/run', 'bin/../empty', 'bin\0', 'empty/x', 'e*']) {
    t.is(await readBlob(repository, sha, path, 100), null, path);
  }
  await t.throwsAsync(readBlob(repository, nowhere, 'empty', 100), { instanceOf: RevisionNotFound });
});

test('the last commit of a file or folder is found', async (t) => {
  const repository = await emptyRepository(t);
  const one = await commitOn(repository, null, [file('a'), file('d/x')]);
  const two = await commitOn(repository, one, [file('d/y')]);
  t.is(await lastCommitFor(repository, 'main', 'a'), one);
  t.is(await lastCommitFor(repository, 'main', 'd'), two);
  t.is(await lastCommitFor(repository, one, 'd/y'), null);
  await t.throwsAsync(lastCommitFor(repository, nowhere, 'a'), { instanceOf: RevisionNotFound });
});

test('a large file streams whole, and a missing one is told before', async (t) => {
  const repository = await emptyRepository(t);
  const large = 'line of a large file\n'.repeat(100_000);
  await commitOn(repository, null, [file('large', large)]);
  const { blob_id } = (await readBlob(repository, 'main', 'large', 0))!;
  t.true((await text(await openBlob(repository, blob_id, large.length))) === large);
  await t.throwsAsync(openBlob(repository, nowhere, large.length), { instanceOf: GitFailed });
  await t.throwsAsync(openBlob(repository, '--help', 1), { instanceOf: InvalidGitInput });
  const abandoned = await openBlob(repository, blob_id, large.length);
  for await (const chunk of abandoned) {
    t.true(chunk.length > 0);
    break;
  }
  t.true(abandoned.destroyed);
});

test('blame groups neighbouring lines by the commit that wrote them', async (t) => {
  const repository = await emptyRepository(t);
  const one = await commitOn(repository, null, [file('a', '1\n2\n\tthree\n4\n')]);
  const two = await commitOn(repository, one, [{ ...file('a', '1\ntwo\n\tthree\n4\n5'), action: 'update' }]);
  const groups = async (range?: { start: number; end: number }): Promise<unknown> =>
    (await blame(repository, 'main', 'a', range))!.map((group) => [group.commit.sha, group.lines]);
  t.deepEqual(await groups(), [
    [one, ['1']],
    [two, ['two']],
    [one, ['\tthree', '4']],
    [two, ['5']],
  ]);
  t.deepEqual(await groups({ start: 2, end: 3 }), [
    [two, ['two']],
    [one, ['\tthree']],
  ]);
  t.is(await blame(repository, 'main', 'nope'), null);
  t.is(await blame(repository, 'main', '..'), null);
  await t.throwsAsync(groups({ start: 9, end: 10 }), { instanceOf: InvalidGitInput });
  await t.throwsAsync(groups({ start: 3, end: 2 }), { instanceOf: InvalidGitInput });
  await t.throwsAsync(blame(repository, nowhere, 'a'), { instanceOf: RevisionNotFound });
});
