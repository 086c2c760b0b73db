import test from 'ava';
import {
  commitCount,
  commitRefs,
  createAnnotatedTag,
  GitFailed,
  InvalidGitInput,
  isAncestor,
  listRefs,
  mergeBase,
  mergedBranches,
  readTags,
  RefConflict,
  resolveCommit,
  RevisionNotFound,
  updateRefs,
} from '../../shared/git/index.js';
import { ann, commitOn, emptyRepository, file, noon, plainGit } from './git-fixture.js';

const nowhere = 'a'.repeat(40);

test('refs are created, moved and deleted only from where the caller saw them', async (t) => {
  const repository = await emptyRepository(t);
  const one = await commitOn(repository, null, [file('a')]);
  const two = await commitOn(repository, one, [file('b')]);
  const ref = 'refs/heads/topic';
  await updateRefs(repository, [{ ref, old: null, new: one }]);
  const conflict = async (old: string | null | undefined, next: string | null, reason: string): Promise<void> => {
    const error = await t.throwsAsync(updateRefs(repository, [{ ref, old, new: next }]), { instanceOf: RefConflict });
    t.is(error!.reason as string, reason);
    t.is(error!.ref, ref);
  };
  await conflict(null, two, 'exists');
  await conflict(two, two, 'moved');
  await conflict(two, null, 'moved');
  await updateRefs(repository, [{ ref, old: one, new: two }]);
  await updateRefs(repository, [{ ref, old: two, new: null }]);
  await conflict(two, one, 'missing');
  t.is(await resolveCommit(repository, 'topic'), null);
});

test('a transaction does everything or nothing', async (t) => {
  const repository = await emptyRepository(t);
  const sha = await commitOn(repository, null, [file('a')]);
  const updates = [
    { ref: 'refs/heads/new', old: null, new: sha },
    { ref: 'refs/heads/main', old: null, new: sha },
  ];
  await t.throwsAsync(updateRefs(repository, updates), { instanceOf: RefConflict });
  t.deepEqual(
    (await listRefs(repository)).map((ref) => ref.name),
    ['refs/heads/main'],
  );
});

test('a branch cannot be a folder of another, packed or not', async (t) => {
  const repository = await emptyRepository(t);
  const sha = await commitOn(repository, null, [file('a')]);
  for (const pack of [false, true]) {
    if (pack) plainGit(repository, ['pack-refs', '--all']);
    const error = await t.throwsAsync(updateRefs(repository, [{ ref: 'refs/heads/main/x', new: sha }]), {
      instanceOf: RefConflict,
    });
    t.is(error!.reason, 'name_conflict');
  }
});

test('what git would not store as a ref is refused', async (t) => {
  const repository = await emptyRepository(t);
  const sha = await commitOn(repository, null, [file('a')]);
  const tree = plainGit(repository, ['rev-parse', 'main^{tree}']).trim();
  const bad = [
    { ref: 'refs/heads/a b', new: sha },
    { ref: 'main', new: sha },
    { ref: 'HEAD', new: sha },
    { ref: 'refs/heads/x\0y', new: sha },
    { ref: 'refs/heads/x', new: 'main' },
    { ref: 'refs/heads/x', new: nowhere },
    { ref: 'refs/heads/x', new: tree },
    { ref: 'refs/heads/x', new: '0'.repeat(40) },
    { ref: 'refs/heads/x', old: null, new: null },
  ];
  for (const update of bad) {
    await t.throwsAsync(updateRefs(repository, [update]), { instanceOf: InvalidGitInput }, JSON.stringify(update));
  }
  const twice = { ref: 'refs/heads/x', new: sha };
  await t.throwsAsync(updateRefs(repository, [twice, twice]), { instanceOf: InvalidGitInput });
});

test('of many who create one branch at the same time exactly one succeeds', async (t) => {
  const repository = await emptyRepository(t);
  const sha = await commitOn(repository, null, [file('a')]);
  const tries = Array.from({ length: 8 }, () =>
    updateRefs(repository, [{ ref: 'refs/heads/race', old: null, new: sha }]),
  );
  const results = await Promise.allSettled(tries);
  t.is(results.filter((result) => result.status === 'fulfilled').length, 1);
  t.true(results.every((result) => result.status === 'fulfilled' || result.reason instanceof RefConflict));
});

test('refs are listed with the commit that they lead to, through tags of tags too', async (t) => {
  const repository = await emptyRepository(t);
  const sha = await commitOn(repository, null, [file('a')]);
  const tag = await createAnnotatedTag(repository, { name: 'v1', target: sha, message: 'One', tagger: ann, at: noon });
  const nested = plainGit(
    repository,
    ['mktag'],
    `object ${tag}\ntype tag\ntag v2\ntagger A <a@b> 1 +0000\n\nTwo\n`,
  ).trim();
  const blob = plainGit(repository, ['rev-parse', 'main:a']).trim();
  await updateRefs(repository, [
    { ref: 'refs/tags/v1', new: tag },
    { ref: 'refs/tags/v2', new: nested },
    { ref: 'refs/tags/file', new: blob },
  ]);
  t.deepEqual(await listRefs(repository), [
    { name: 'refs/heads/main', sha, type: 'commit', target: sha, created_at: noon },
    { name: 'refs/tags/file', sha: blob, type: 'blob', target: null, created_at: null },
    { name: 'refs/tags/v1', sha: tag, type: 'tag', target: sha, created_at: noon },
    { name: 'refs/tags/v2', sha: nested, type: 'tag', target: sha, created_at: new Date(1000) },
  ]);
  t.is((await listRefs(repository, { prefixes: ['refs/heads'] })).length, 1);
  t.is((await listRefs(repository, { names: ['refs/tags/v1', 'refs/tags/none'] })).length, 1);
  t.deepEqual(await listRefs(repository, { names: [] }), []);
  t.deepEqual(await listRefs(repository, { names: ['refs/tags'] }), []);
  await t.throwsAsync(listRefs(repository, { names: ['refs/heads/*'] }), { instanceOf: InvalidGitInput });
});

test('a revision is a branch, a tag, a full ref, HEAD or an id, and nothing cleverer', async (t) => {
  const repository = await emptyRepository(t);
  const one = await commitOn(repository, null, [file('a')]);
  const two = await commitOn(repository, one, [file('b')]);
  const tag = await createAnnotatedTag(repository, { name: 'v1', target: one, message: 'One', tagger: ann, at: noon });
  await updateRefs(repository, [
    { ref: 'refs/tags/v1', new: tag },
    { ref: 'refs/tags/both', new: one },
    { ref: 'refs/heads/both', new: two },
  ]);
  const revisions: [string, string][] = [
    ['main', two],
    ['refs/heads/main', two],
    ['HEAD', two],
    ['v1', one],
    ['refs/tags/v1', one],
    [tag, one],
    [one, one],
    [one.slice(0, 12), one],
    [one.slice(0, 12).toUpperCase(), one],
    ['both', one],
    ['refs/heads/both', two],
  ];
  for (const [revision, sha] of revisions) t.is(await resolveCommit(repository, revision), sha, revision);
  const blob = plainGit(repository, ['rev-parse', 'main:a']).trim();
  const unknown = [
    '',
    'nope',
    'main~1',
    'main^',
    'main@{0}',
    '@',
    ':/A',
    `x-g${one.slice(0, 8)}`,
    one.slice(0, 3),
    nowhere,
    blob,
    '--all',
    '-h',
    'main\n',
    'main\0',
    'a..b',
    'refs/heads/nope',
    'main:a',
    '^main',
    'heads/*',
  ];
  for (const revision of unknown) t.is(await resolveCommit(repository, revision), null, JSON.stringify(revision));
  t.is(await resolveCommit(repository, 'main~1', { expressions: true }), one);
});

test('histories can be compared and counted', async (t) => {
  const repository = await emptyRepository(t);
  const base = await commitOn(repository, null, [file('a')]);
  const left = await commitOn(repository, base, [file('b')]);
  const right = await commitOn(repository, base, [file('c')], { branch: 'topic' });
  const stranger = await commitOn(repository, null, [file('z')], { branch: 'stranger' });
  t.is(await mergeBase(repository, left, right), base);
  t.is(await mergeBase(repository, left, stranger), null);
  t.true(await isAncestor(repository, base, right));
  t.false(await isAncestor(repository, left, right));
  await t.throwsAsync(isAncestor(repository, nowhere, right), { instanceOf: GitFailed });
  await t.throwsAsync(mergeBase(repository, 'main', right), { instanceOf: InvalidGitInput });
  t.is(await commitCount(repository, 'main'), 2);
  await t.throwsAsync(commitCount(repository, 'nope'), { instanceOf: RevisionNotFound });
  await updateRefs(repository, [{ ref: 'refs/tags/v1', new: right }]);
  t.deepEqual(await commitRefs(repository, base, 'branch'), ['refs/heads/main', 'refs/heads/topic']);
  t.deepEqual(await commitRefs(repository, base, 'tag'), ['refs/tags/v1']);
  t.deepEqual(await commitRefs(repository, right, 'all'), ['refs/heads/topic', 'refs/tags/v1']);
  t.deepEqual(await commitRefs(repository, nowhere, 'all'), []);
  t.deepEqual(await mergedBranches(repository, left), ['refs/heads/main']);
});

test('an annotated tag keeps who made it, when, and its message', async (t) => {
  const repository = await emptyRepository(t);
  const target = await commitOn(repository, null, [file('a')]);
  const tagger = { name: 'Zoë <x>', email: 'zoe@example.com' };
  const sha = await createAnnotatedTag(repository, {
    name: 'v1',
    target,
    message: 'One\n\ntagger of lies',
    tagger,
    at: noon,
  });
  t.deepEqual(await listRefs(repository, { prefixes: ['refs/tags'] }), []);
  const tags = await readTags(repository, [sha, target, nowhere]);
  t.deepEqual(
    [...tags.values()],
    [
      {
        sha,
        name: 'v1',
        target,
        target_type: 'commit',
        tagger: { name: 'Zoë x', email: 'zoe@example.com', date: '2030-01-01T12:00:00+00:00' },
        message: 'One\n\ntagger of lies',
      },
    ],
  );
});

test('a tag needs a good name and a commit', async (t) => {
  const repository = await emptyRepository(t);
  const target = await commitOn(repository, null, [file('a')]);
  const tag = { name: 'v1', target, message: '', tagger: ann, at: noon };
  t.regex(await createAnnotatedTag(repository, tag), /^[0-9a-f]{40}$/);
  for (const bad of [
    { name: 'a\nb' },
    { target: nowhere },
    { message: 'a\0b' },
    { target: plainGit(repository, ['rev-parse', 'main:a']).trim() },
  ]) {
    await t.throwsAsync(createAnnotatedTag(repository, { ...tag, ...bad }), { instanceOf: InvalidGitInput });
  }
});
