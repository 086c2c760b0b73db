import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'ava';
import {
  createRepository,
  defaultBranch,
  gitEnvironment,
  InvalidGitInput,
  listRefs,
  removeRepository,
  repositoryExists,
  RepositoryMissing,
  repositoryPath,
  repositorySize,
  requireGit,
  setDefaultBranch,
} from '../../shared/git/index.js';
import { GitFailed, GitMissing, GitOutputTooLarge, GitTimeout } from '../../shared/git/errors.js';
import { runGit } from '../../shared/git/run.js';
import { commitOn, emptyRepository, file, plainGit, temporaryFolder } from './git-fixture.js';

test('git is there and new enough', async (t) => {
  t.regex(await requireGit(), /^\d+\.\d+/);
});

test("a project's repository lies in hashed folders", (t) => {
  const digest = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b';
  t.is(repositoryPath('/data', 1), join('/data', '@hashed', '6b', '86', `${digest}.git`));
});

test('a created repository is one that git accepts, bare, empty and without hooks', async (t) => {
  const repository = await emptyRepository(t);
  t.is(plainGit(repository, ['rev-parse', '--is-bare-repository']).trim(), 'true');
  t.is(plainGit(repository, ['fsck', '--strict']), '');
  t.is(await defaultBranch(repository), 'main');
  t.deepEqual(await listRefs(repository), []);
  t.is(await repositorySize(repository), 0);
  t.false((await readdir(repository)).includes('hooks'));
});

test('creating a repository again, or often at once, keeps the first and leaves nothing behind', async (t) => {
  const repository = join(await temporaryFolder(t), 'deep', 'er', 'x.git');
  await Promise.all(Array.from({ length: 8 }, () => createRepository(repository, 'main')));
  await createRepository(repository, 'other');
  t.is(await defaultBranch(repository), 'main');
  t.deepEqual(await readdir(dirname(repository)), ['x.git']);
  await t.throwsAsync(createRepository(`${repository}2`, '-x'), { instanceOf: InvalidGitInput });
});

test('the default branch can be changed, but not to a bad name', async (t) => {
  const repository = await emptyRepository(t);
  await setDefaultBranch(repository, 'trunk');
  t.is(await defaultBranch(repository), 'trunk');
  await t.throwsAsync(setDefaultBranch(repository, 'a b'), { instanceOf: InvalidGitInput });
});

test('a removed repository is gone, and removing it again does nothing', async (t) => {
  const repository = await emptyRepository(t);
  await removeRepository(repository);
  await removeRepository(repository);
  t.false(await repositoryExists(repository));
  t.deepEqual(await readdir(dirname(repository)), []);
  await t.throwsAsync(listRefs(repository), { instanceOf: RepositoryMissing });
});

test('a folder inside of another repository is not taken for that one', async (t) => {
  const repository = await emptyRepository(t);
  await t.throwsAsync(listRefs(join(repository, 'objects')), { instanceOf: RepositoryMissing });
});

test('the size grows with what is stored', async (t) => {
  const repository = await emptyRepository(t);
  t.is(await repositorySize(repository), 0);
  await commitOn(repository, null, [file('a', 'x'.repeat(10_000))]);
  t.true((await repositorySize(repository)) > 0);
});

test('nothing of the surrounding environment reaches git', (t) => {
  process.env.GIT_DIR = '/somewhere/else';
  process.env.SECRET_FOR_TEST = 'x';
  t.teardown(() => {
    delete process.env.GIT_DIR;
    delete process.env.SECRET_FOR_TEST;
  });
  const env = gitEnvironment();
  t.is(env.GIT_DIR, undefined);
  t.is(env.SECRET_FOR_TEST, undefined);
  t.is(env.GIT_CONFIG_GLOBAL, '/dev/null');
});

test('output, time and failure have errors of their own', async (t) => {
  const repository = await emptyRepository(t);
  await commitOn(repository, null, [file('a', 'x'.repeat(100_000))]);
  const show = ['cat-file', 'blob', 'main:a'];
  await t.throwsAsync(runGit(repository, show, { maxBytes: 1000 }), { instanceOf: GitOutputTooLarge });
  t.is((await runGit(repository, show, { maxBytes: 1000, cutOutput: true })).stdout.length, 1000);
  await t.throwsAsync(runGit(repository, ['no-such-command']), { instanceOf: GitFailed });
  await t.throwsAsync(runGit(repository, ['fsck', '--full'], { timeoutMs: 0 }), { instanceOf: GitTimeout });
});

test.serial('a computer without git gets a clear error', async (t) => {
  const path = process.env.PATH;
  process.env.PATH = '/nonexistent';
  t.teardown(() => {
    process.env.PATH = path;
  });
  const error = await t.throwsAsync(requireGit(), { instanceOf: GitMissing });
  t.regex(error!.message, /install git 2\.38 or newer/);
});

test('many commands at once all end', async (t) => {
  const repository = await emptyRepository(t);
  const names = await Promise.all(Array.from({ length: 80 }, () => defaultBranch(repository)));
  t.true(names.every((name) => name === 'main'));
});
