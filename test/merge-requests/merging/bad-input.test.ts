import test from 'ava';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { reindexRepository } from '../../../shared/repositories/housekeeping/reindex-repository.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';
import { mergingIn } from './merging-steps.js';

const app = useApp(test);

/** A branch that git makes by itself, of files and on a commit or on none. */
async function getBranch(project: { id: number }, name: string, from: string | null, paths: readonly string[]) {
  const files = paths.map((path) => `M 644 inline ${path}\ndata <<.\n${name} ${path}\n.\n`);
  const head = `commit refs/heads/${name}\ncommitter x <x@example.com> 1893499200 +0000\ndata 1\nx\n`;
  const repository = getRepositoryPath(app.context(), project);
  plainGit(repository, ['fast-import', '--quiet'], head + (from === null ? '' : `from ${from}\n`) + files.join(''));
  await reindexRepository(app.context(), project.id);
}

// Contract: merging-1.bad
test('histories that never meet are refused: 422', async (t) => {
  const { project, make, merge, read, rebase, head } = await mergingIn(app);
  await getBranch(project, 'orphan', null, ['a']);
  const before = head();
  const request = await make({ source_branch: 'orphan' });
  await app.work();
  t.is((await read(request)).merge_status, 'cannot_be_merged');
  const rejection = await merge(request);
  t.is(rejection.status, 422);
  t.deepEqual(rejection.body, { message: 'Branch cannot be merged' });
  t.is((await merge(request, { squash: true })).status, 422);
  t.is((await rebase(request)).status, 202);
  await app.work();
  t.is(head(), before);
});

// Contract: merging-1.bad
test('10,000 files that conflict are refused: 422', async (t) => {
  t.timeout(300_000);
  const { project, make, merge, read, head, git } = await mergingIn(app);
  const paths = Array.from({ length: 10_000 }, (_, index) => `d${index % 100}/f${index}`);
  const base = head();
  await getBranch(project, 'theirs', base, paths);
  await getBranch(project, 'ours', base, paths);
  const request = await make({ source_branch: 'theirs', target_branch: 'ours' });
  const objects = git('count-objects');
  t.is((await merge(request)).status, 422);
  await app.work();
  t.like(await read(request), { merge_status: 'cannot_be_merged', has_conflicts: true });
  t.is(git('count-objects'), objects, 'what conflicts is not kept');
});

// Contract: merging-1.bad
test('messages that no commit can hold are refused, and long ones are not', async (t) => {
  const { make, merge, message, read } = await mergingIn(app);
  const request = await make();
  t.is((await merge(request, { merge_commit_message: 'a\0b' })).status, 400);
  t.is((await merge(request, { squash: 'perhaps' })).status, 400);
  t.is((await merge({ iid: 2 ** 40 })).status, 404);
  t.is((await read(request)).state, 'opened');
  const long = 'x'.repeat(100_000);
  const { status, body } = await merge(request, { merge_commit_message: long });
  t.is(status, 200);
  t.is(message(body.merge_commit_sha), long);
});

// Contract: merging-9.time
test('a branch of 100 commits is merged while its request waits', async (t) => {
  t.timeout(120_000);
  const { project, make, merge, head } = await mergingIn(app);
  const repository = getRepositoryPath(app.context(), project);
  for (let round = 0; round < 2; round += 1) {
    const lines = Array.from({ length: 100 }, (_, index) => {
      const from = index === 0 ? `from ${head()}\n` : '';
      return `commit refs/heads/hundred-${round}\ncommitter x <x@example.com> 1893499200 +0000\ndata 1\nx\n${from}M 644 inline r${round}/f${index}\ndata 1\nx\n`;
    });
    plainGit(repository, ['fast-import', '--quiet'], lines.join(''));
    await reindexRepository(app.context(), project.id);
    const request = await make({ source_branch: `hundred-${round}` });
    await app.work();
    const { status, text, body } = await merge(request);
    t.is(status, 200, text);
    t.is(body.state, 'merged');
  }
});
