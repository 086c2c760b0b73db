import test from 'ava';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyRepository, GitFailed, listRefs, RepositoryMissing, updateRefs } from '../../shared/git/index.js';
import { commitOn, emptyRepository, file, plainGit, temporaryFolder } from './git-fixture.js';

/** The object files of a repository, by their path below `objects`. */
async function objectFiles(repository: string): Promise<string[]> {
  const files = await readdir(join(repository, 'objects'), { recursive: true });
  return files.filter((name) => /^[0-9a-f]{2}\/|^pack\//.test(name)).sort();
}

const getNames = async (repository: string) => (await listRefs(repository)).map(({ name, sha }) => `${name} ${sha}`);
const isWhole = (repository: string) => plainGit(repository, ['fsck', '--strict', '--connectivity-only']);

test('a copy has every branch and tag, and shares each object file with its source', async (t) => {
  const source = await emptyRepository(t);
  const first = await commitOn(source, null, [file('a.txt')]);
  await commitOn(source, first, [file('b.txt')], { branch: 'side' });
  plainGit(source, ['tag', '-a', '-m', 'One', 'v1', first]);
  const target = join(await temporaryFolder(t), 'copy.git');
  await copyRepository(source, target, null);
  t.deepEqual(await getNames(target), await getNames(source));
  t.deepEqual(await objectFiles(target), await objectFiles(source));
  for (const name of await objectFiles(source)) {
    const [one, other] = await Promise.all([source, target].map((folder) => stat(join(folder, 'objects', name))));
    t.is(one?.ino, other?.ino, name);
  }
  isWhole(target);
});

test('packs are shared too', async (t) => {
  const source = await emptyRepository(t);
  const sha = await commitOn(source, null, [file('a.txt')]);
  plainGit(source, ['repack', '-adq']);
  const target = join(await temporaryFolder(t), 'copy.git');
  await copyRepository(source, target, null);
  const packs = (await objectFiles(target)).filter((name) => name.endsWith('.pack'));
  t.is(packs.length, 1);
  t.is((await stat(join(target, 'objects', packs[0] ?? ''))).nlink, 2);
  t.is(plainGit(target, ['rev-parse', 'main']).trim(), sha);
});

// Contract: core-5.fork.sharing
test('a copy stays whole when its source is pruned, repacked and deleted', async (t) => {
  const source = await emptyRepository(t);
  const first = await commitOn(source, null, [file('a.txt')]);
  await commitOn(source, first, [file('b.txt')], { branch: 'side' });
  const target = join(await temporaryFolder(t), 'copy.git');
  await copyRepository(source, target, null);
  await updateRefs(source, [{ ref: 'refs/heads/side', new: null }]);
  plainGit(source, ['gc', '--prune=now', '--quiet']);
  isWhole(target);
  await rm(source, { recursive: true });
  isWhole(target);
  t.is(plainGit(target, ['show', 'side:b.txt']), 'b.txt\n');
});

test('what happens in a copy leaves its source as it is', async (t) => {
  const source = await emptyRepository(t);
  const first = await commitOn(source, null, [file('a.txt')]);
  const target = join(await temporaryFolder(t), 'copy.git');
  await copyRepository(source, target, null);
  await commitOn(target, first, [file('c.txt')]);
  plainGit(target, ['gc', '--prune=now', '--quiet']);
  await rm(target, { recursive: true });
  isWhole(source);
  t.is(plainGit(source, ['rev-parse', 'main']).trim(), first);
});

test('a copy of one branch has its history and the tags in it, and no object besides', async (t) => {
  const source = await emptyRepository(t);
  const first = await commitOn(source, null, [file('a.txt')]);
  const second = await commitOn(source, first, [file('b.txt')]);
  const secret = await commitOn(source, first, [file('secret.txt')], { branch: 'side' });
  plainGit(source, ['tag', 'v1', first]);
  plainGit(source, ['tag', 'other', secret]);
  const target = join(await temporaryFolder(t), 'copy.git');
  await copyRepository(source, target, 'main');
  t.deepEqual(await getNames(target), [`refs/heads/main ${second}`, `refs/tags/v1 ${first}`]);
  t.throws(() => plainGit(target, ['cat-file', '-e', secret]));
  isWhole(target);
});

// Contract: core-5.fork.sharing
test('what the linked files lack is fetched', async (t) => {
  const source = await emptyRepository(t);
  const sha = await commitOn(source, null, [file('a.txt')]);
  plainGit(source, ['repack', '-adq']);
  // Objects out of sight, as those are that git repacks while files are linked.
  const elsewhere = await temporaryFolder(t);
  await rename(join(source, 'objects/pack'), join(elsewhere, 'pack'));
  await writeFile(join(source, 'objects/info/alternates'), `${elsewhere}\n`);
  const target = join(await temporaryFolder(t), 'copy.git');
  await copyRepository(source, target, null);
  t.is(plainGit(target, ['rev-parse', 'main']).trim(), sha);
  await rm(elsewhere, { recursive: true });
  isWhole(target);
});

test('a copy that was begun before is brought up to date', async (t) => {
  const source = await emptyRepository(t);
  const first = await commitOn(source, null, [file('a.txt')]);
  const target = join(await temporaryFolder(t), 'copy.git');
  await copyRepository(source, target, null);
  const second = await commitOn(source, first, [file('b.txt')]);
  await copyRepository(source, target, null);
  t.is(plainGit(target, ['rev-parse', 'main']).trim(), second);
  isWhole(target);
});

test('an empty repository gives an empty copy', async (t) => {
  const source = await emptyRepository(t);
  const target = join(await temporaryFolder(t), 'copy.git');
  await copyRepository(source, target, null);
  t.deepEqual(await listRefs(target), []);
});

test('a branch that is not there, and a source that is none, are refused', async (t) => {
  const source = await emptyRepository(t);
  await commitOn(source, null, [file('a.txt')]);
  const folder = await temporaryFolder(t);
  await t.throwsAsync(copyRepository(source, join(folder, 'one.git'), 'absent'), { instanceOf: GitFailed });
  await t.throwsAsync(copyRepository(join(folder, 'gone.git'), join(folder, 'two.git'), null), {
    instanceOf: RepositoryMissing,
  });
});
