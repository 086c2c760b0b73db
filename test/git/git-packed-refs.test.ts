import test from 'ava';
import { createPackedRefs, RefConflict } from '../../shared/git/index.js';
import { commitOn, emptyRepository, file, plainGit } from './git-fixture.js';

const getRefs = (repository: string) =>
  plainGit(repository, ['for-each-ref', '--format=%(refname) %(objectname) %(*objectname)']).trim().split('\n');

test('refs that are made together are what git reads, beside packed and loose ones', async (t) => {
  const repository = await emptyRepository(t);
  const sha = await commitOn(repository, null, [file('a')]);
  plainGit(repository, ['tag', '-a', '-m', 'x', 'old', sha]);
  plainGit(repository, ['pack-refs', '--all']);
  plainGit(repository, ['tag', '-a', '-m', 'x', 'new', sha]);
  const tag = plainGit(repository, ['rev-parse', 'new']).trim();
  const names = ['refs/heads/z', 'refs/heads/a', 'refs/heads/a-b/c', 'refs/heads/ä', 'refs/tags/made'];
  const refs = names.map((name) => ({ name, sha: name.endsWith('made') ? tag : sha, peeled: sha }));
  t.true(await createPackedRefs(repository, refs));
  const all = getRefs(repository);
  for (const name of names.slice(0, 4)) t.true(all.includes(`${name} ${sha} `), name);
  t.true(all.includes(`refs/tags/made ${tag} ${sha}`));
  t.is(all.length, 8);
  t.is(plainGit(repository, ['fsck', '--full']), '');
  plainGit(repository, ['update-ref', '-d', 'refs/heads/a-b/c']);
  plainGit(repository, ['pack-refs', '--all']);
  t.is(getRefs(repository).length, 7);
});

test('what is in the way is told, and nothing is made', async (t) => {
  const repository = await emptyRepository(t);
  const sha = await commitOn(repository, null, [file('a')]);
  const ref = (name: string) => ({ name: `refs/heads/${name}`, sha, peeled: sha });
  for (const name of ['packed/x', 'one']) plainGit(repository, ['update-ref', `refs/heads/${name}`, sha]);
  plainGit(repository, ['pack-refs', '--all']);
  plainGit(repository, ['update-ref', 'refs/heads/loose', sha]);
  const before = getRefs(repository);
  for (const [name, reason] of [
    ['one', 'exists'],
    ['loose', 'exists'],
    ['packed', 'name_conflict'],
    ['one/x', 'name_conflict'],
    ['loose/x', 'name_conflict'],
  ] as const) {
    const error = await t.throwsAsync(createPackedRefs(repository, [ref('free'), ref(name)]), {
      instanceOf: RefConflict,
    });
    t.deepEqual([error.ref, error.reason], [`refs/heads/${name}`, reason]);
  }
  await t.throwsAsync(createPackedRefs(repository, [ref('n'), ref('n/m')]), { instanceOf: RefConflict });
  plainGit(repository, ['update-ref', 'refs/heads/folder/x', sha]);
  t.false(await createPackedRefs(repository, [ref('folder')]), 'git decides');
  plainGit(repository, ['update-ref', '-d', 'refs/heads/folder/x']);
  t.deepEqual(getRefs(repository), before);
});
