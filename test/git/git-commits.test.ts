import test from 'ava';
import {
  commitStats,
  readCommits,
  readLog,
  readCommitStats,
  RevisionNotFound,
  updateRefs,
} from '../../shared/git/index.js';
import { commitOn, emptyRepository, file, plainGit } from './git-fixture.js';

const nowhere = 'a'.repeat(40);

test('a commit is read with its own time offsets, message and trailers', async (t) => {
  const repository = await emptyRepository(t);
  await commitOn(repository, null, [file('a')]);
  const tree = plainGit(repository, ['rev-parse', 'main^{tree}']).trim();
  const message =
    'Title line\n\nBody of it.\n\nSigned-off-by: A <a@b>\nCo-authored-by: B\n  <b@c>\nSigned-off-by: C <c@d>\n';
  const raw = `tree ${tree}\nauthor Ann <ann@x> 1340880260 -0700\ncommitter Bob <bob@x> 1340880261 +0530\n\n${message}`;
  const sha = plainGit(repository, ['hash-object', '-w', '-t', 'commit', '--stdin'], raw).trim();
  const commits = await readCommits(repository, [sha, sha]);
  t.deepEqual(
    [...commits.values()],
    [
      {
        sha,
        parent_ids: [],
        tree,
        title: 'Title line',
        message,
        author_name: 'Ann',
        author_email: 'ann@x',
        authored_date: '2012-06-28T03:44:20-07:00',
        committer_name: 'Bob',
        committer_email: 'bob@x',
        committed_date: '2012-06-28T16:14:21+05:30',
        trailers: { 'Signed-off-by': 'C <c@d>', 'Co-authored-by': 'B <b@c>' },
        extended_trailers: { 'Signed-off-by': ['A <a@b>', 'C <c@d>'], 'Co-authored-by': ['B <b@c>'] },
      },
    ],
  );
});

test('ids that are no commit are left out of what is read', async (t) => {
  const repository = await emptyRepository(t);
  const one = await commitOn(repository, null, [file('a')]);
  const blob = plainGit(repository, ['rev-parse', 'main:a']).trim();
  t.deepEqual([...(await readCommits(repository, [nowhere, one, 'main', blob])).keys()], [one]);
  t.is((await readCommits(repository, [nowhere])).size, 0);
  t.is((await readCommits(repository, [])).size, 0);
});

test('a message in an old encoding is read as what it says', async (t) => {
  const repository = await emptyRepository(t);
  await commitOn(repository, null, [file('a')]);
  const tree = plainGit(repository, ['rev-parse', 'main^{tree}']).trim();
  const raw = `tree ${tree}\nauthor É <e@x> 1 +0000\ncommitter É <e@x> 1 +0000\nencoding ISO-8859-1\n\nÜber\n`;
  const sha = plainGit(repository, ['hash-object', '-w', '-t', 'commit', '--stdin'], Buffer.from(raw, 'latin1')).trim();
  t.like((await readCommits(repository, [sha])).get(sha), { message: 'Über\n', author_name: 'É' });
});

test('commits are filtered by time, path, author, number and range', async (t) => {
  const repository = await emptyRepository(t);
  const day = (n: number): Date => new Date(Date.UTC(2030, 0, n));
  const one = await commitOn(repository, null, [file('a'), file('d/x')], { at: day(1) });
  const two = await commitOn(repository, one, [file('b')], { at: day(2), author: { name: 'B.b', email: 'b@x' } });
  const three = await commitOn(repository, two, [{ ...file('d/x', 'new'), action: 'update' }], { at: day(3) });
  const side = await commitOn(repository, one, [file('s')], { at: day(4), branch: 'side' });
  const shas = async (filter: Parameters<typeof readLog>[1]): Promise<string[]> =>
    (await readLog(repository, filter)).map((commit) => commit.sha);
  const revisions = ['main'];
  t.deepEqual(await shas({ revisions }), [three, two, one]);
  t.deepEqual(await shas({ all: true }), [side, three, two, one]);
  t.deepEqual(await shas({ revisions, since: day(2) }), [three, two]);
  t.deepEqual(await shas({ revisions, until: day(2) }), [two, one]);
  t.deepEqual(await shas({ revisions, path: 'd/' }), [three, one]);
  t.deepEqual(await shas({ revisions, path: '*' }), []);
  t.deepEqual(await shas({ revisions, path: '../a' }), []);
  t.deepEqual(await shas({ revisions, author: 'B.b <b@x>' }), [two]);
  t.deepEqual(await shas({ revisions, author: 'B?b' }), []);
  t.deepEqual(await shas({ revisions, author: '--all' }), []);
  t.deepEqual(await shas({ revisions, skip: 1, limit: 1 }), [two]);
  t.deepEqual(await shas({ revisions: [three], exclude: [one] }), [three, two]);
  t.deepEqual(await shas({ revisions: ['side', 'main'], exclude: ['main'], order: 'topo' }), [side]);
  t.deepEqual(await shas({ revisions: [] }), []);
  await t.throwsAsync(shas({ revisions: [nowhere] }), { instanceOf: RevisionNotFound });
  await t.throwsAsync(shas({ revisions: ['--all'] }), { instanceOf: RevisionNotFound });
});

test('the first parents alone leave out what was merged', async (t) => {
  const repository = await emptyRepository(t);
  const base = await commitOn(repository, null, [file('a')]);
  const side = await commitOn(repository, base, [file('s')], { branch: 'side' });
  const tree = plainGit(repository, ['rev-parse', 'side^{tree}']).trim();
  const main = await commitOn(repository, base, [file('m')]);
  const merge = plainGit(repository, ['commit-tree', tree, '-p', main, '-p', side, '-m', 'Merge']).trim();
  await updateRefs(repository, [{ ref: 'refs/heads/main', new: merge }]);
  const commits = await readLog(repository, { revisions: ['main'], firstParent: true });
  t.deepEqual(
    commits.map((commit) => commit.sha),
    [merge, main, base],
  );
  t.deepEqual(commits[0]!.parent_ids, [main, side]);
  t.deepEqual(await commitStats(repository, merge), { additions: 1, deletions: 1, total: 2 });
});

test('an empty repository has no commits', async (t) => {
  t.deepEqual(await readLog(await emptyRepository(t), { all: true }), []);
});

test('stats count lines against the parent, not those of a renamed file', async (t) => {
  const repository = await emptyRepository(t);
  const one = await commitOn(repository, null, [file('a', '1\n2\n3\n'), file('b', 'x\n')]);
  const two = await commitOn(repository, one, [
    { ...file('a', '1\n2\nthree\nfour\n'), action: 'update' },
    { action: 'move', previous_path: 'b', file_path: 'c' },
  ]);
  const three = await commitOn(repository, two, []);
  t.deepEqual(await commitStats(repository, one), { additions: 4, deletions: 0, total: 4 });
  t.deepEqual(await commitStats(repository, two), { additions: 2, deletions: 1, total: 3 });
  t.deepEqual(await commitStats(repository, three), { additions: 0, deletions: 0, total: 0 });
  t.is(await commitStats(repository, nowhere), null);
  t.deepEqual([...(await readCommitStats(repository, [three, one])).keys()].sort(), [one, three].sort());
});
