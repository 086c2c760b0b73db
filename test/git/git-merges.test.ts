import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import {
  commitTree,
  InvalidGitInput,
  mergeHistories,
  readCommits,
  rebaseCommits,
  RevisionNotFound,
  tryMerge,
  type CommitAction,
} from '../../shared/git/index.js';
import { ann, commitOn, emptyRepository, file, plainGit } from './git-fixture.js';

const bob = { name: 'Bób', email: 'bob@example.com' };
const later = new Date('2030-01-02T12:00:00Z');

const update = (file_path: string, text: string): CommitAction => ({
  action: 'update',
  file_path,
  content: Buffer.from(text),
});

/** `main` with a file, then one commit on `main` and one on the branch `story`. */
async function forkHistory(repository: string, ours: CommitAction[], theirs: CommitAction[]) {
  const base = await commitOn(repository, null, [file('a.txt', '1\n2\n3\n4\n5\n6\n7\n')]);
  return {
    base,
    ours: await commitOn(repository, base, ours),
    theirs: await commitOn(repository, base, theirs, { branch: 'story' }),
  };
}

// Contract: merging-8.git
test('histories are merged into the tree that git itself would create', async (t) => {
  const repository = await emptyRepository(t);
  const changes = [
    [update('a.txt', '0\n2\n3\n4\n5\n6\n7\n')],
    [update('a.txt', '1\n2\n3\n4\n5\n6\n8\n'), file('b')],
  ] as const;
  const { ours, theirs } = await forkHistory(repository, [...changes[0]], [...changes[1]]);
  const merged = await mergeHistories(repository, { ours, theirs });
  t.true('tree' in merged);
  const { tree } = merged as { tree: string };
  t.is(plainGit(repository, ['cat-file', 'blob', `${tree}:a.txt`]), '0\n2\n3\n4\n5\n6\n8\n');
  const sha = await commitTree(repository, {
    tree,
    parents: [ours, theirs],
    message: 'Merge',
    author: bob,
    committer: ann,
    at: later,
  });
  const commit = (await readCommits(repository, [sha])).get(sha);
  t.like(commit, { parent_ids: [ours, theirs], tree, author_name: 'Bób', committer_name: 'Ann Example' });
  await t.throwsAsync(
    commitTree(repository, { tree, parents: [], message: 'a\0b', author: bob, committer: bob, at: later }),
    { instanceOf: InvalidGitInput },
  );
});

// Contract: merging-8.git
test('a merge with 10,000 conflicting files is refused, and trying it leaves nothing on disk', async (t) => {
  const repository = await emptyRepository(t);
  const names = Array.from({ length: 10_000 }, (_, index) => `d${index % 100}/f${index}`);
  const base = await commitOn(repository, null, [file('a')]);
  const branch = (name: string) => {
    const files = names.map((path) => `M 644 inline ${path}\ndata <<.\n${name} ${path}\n.\n`);
    const head = `commit refs/heads/${name}\ncommitter x <x@example.com> 1893499200 +0000\ndata 1\nx\nfrom ${base}\n`;
    plainGit(repository, ['fast-import', '--quiet'], head + files.join(''));
    return plainGit(repository, ['rev-parse', name]).trim();
  };
  const [ours, theirs] = [branch('ours'), branch('theirs')];
  const objects = () => plainGit(repository, ['count-objects', '-v']);
  const before = objects();
  t.is(await tryMerge(repository, { ours, theirs }), 'conflict');
  t.is(objects(), before);
  t.deepEqual(
    readdirSync(join(repository, 'objects')).filter((name) => name.startsWith('quarantine')),
    [],
  );
});

// Contract: merging-8.git
test('unrelated histories and missing commits are refused', async (t) => {
  const repository = await emptyRepository(t);
  const ours = await commitOn(repository, null, [file('a')]);
  const theirs = await commitOn(repository, null, [file('b')], { branch: 'other' });
  t.is(await tryMerge(repository, { ours, theirs }), 'unrelated');
  t.deepEqual(await mergeHistories(repository, { ours, theirs }), { failure: 'unrelated' });
  const absent = 'd'.repeat(40);
  await t.throwsAsync(tryMerge(repository, { ours, theirs: absent }), { instanceOf: RevisionNotFound });
  await t.throwsAsync(tryMerge(repository, { ours: absent, theirs }), { instanceOf: RevisionNotFound });
});

// Contract: merging-8.git
test('commits that are rebased onto another one keep their author and author date', async (t) => {
  const repository = await emptyRepository(t);
  const { ours, theirs } = await forkHistory(repository, [file('main.txt')], [file('one')]);
  const two = await commitOn(repository, theirs, [update('a.txt', '1\n')], {
    branch: 'story',
    message: 'Two\n\nwith a body',
    author: bob,
    at: later,
  });
  const at = new Date('2030-02-01T00:00:00Z');
  const rebased = await rebaseCommits(repository, { head: two, onto: ours, committer: ann, at });
  const { sha } = rebased as { sha: string };
  const log = plainGit(repository, ['log', '--format=%s|%an|%aI|%cn|%cI|%P', sha]).trim().split('\n');
  t.is(
    log[0]!.split('|').slice(0, 5).join('|'),
    'Two|Bób|2030-01-02T12:00:00+00:00|Ann Example|2030-02-01T00:00:00+00:00',
  );
  t.true(log[1]!.endsWith(ours));
  t.is(plainGit(repository, ['ls-tree', '--name-only', sha]), 'a.txt\nmain.txt\none\n');
});

// Contract: merging-8.git
test('a rebase skips merges and changes that are already there, and keeps the bytes of other encodings', async (t) => {
  const repository = await emptyRepository(t);
  const { base, ours, theirs } = await forkHistory(repository, [file('same', 'x\n')], [file('same', 'x\n')]);
  const tree = plainGit(repository, ['rev-parse', `${theirs}^{tree}`]).trim();
  const latin1Commit = Buffer.from(
    `tree ${tree}\nparent ${theirs}\nauthor Ren\xe9 <r@example.com> 1893499200 +0530\ncommitter x <x> 1893499200 +0000\nencoding ISO-8859-1\n\nCaf\xe9\n`,
    'latin1',
  );
  const empty = plainGit(repository, ['hash-object', '-t', 'commit', '-w', '--stdin'], latin1Commit).trim();
  const rebased = await rebaseCommits(repository, { head: empty, onto: ours, committer: ann, at: later });
  const { sha } = rebased as { sha: string };
  const stored = plainGit(repository, ['log', '--format=%an|%aI|%s|%P', '--encoding=UTF-8', sha]).split('\n')[0];
  t.is(stored, `René|2030-01-01T17:30:00+05:30|Café|${ours}`);
  t.deepEqual(await rebaseCommits(repository, { head: base, onto: ours, committer: ann, at: later }), { sha: ours });
});

// Contract: merging-8.git
test('a rebase stops at a conflict', async (t) => {
  const repository = await emptyRepository(t);
  const { ours, theirs } = await forkHistory(repository, [update('a.txt', 'x\n')], [update('a.txt', 'y\n')]);
  t.deepEqual(await mergeHistories(repository, { ours, theirs }), { failure: 'conflict' });
  const rebased = await rebaseCommits(repository, { head: theirs, onto: ours, committer: ann, at: later });
  t.deepEqual(rebased, { failure: 'conflict' });
});
