import { listRefs, updateRefs } from './refs.js';
import { TooManyRefs } from './errors.js';
import { MOST_REFS } from './remote.js';
import { createRepository } from './repository.js';
import { runGit } from './run.js';

/** Minutes that a large repository may take, for each step. */
const timeoutMs = 30 * 60_000;

/** What a push is checked for, but for slips of old programs that many an old project has in its history. */
const CHECKS = {
  'fsck.badTimezone': 'ignore',
  'fsck.missingSpaceBeforeDate': 'ignore',
  'fsck.zeroPaddedFilemode': 'ignore',
};

/** Where commits are kept that no branch has any more: each by a ref of its own name. */
const KEPT = 'refs/keep-around';

/** Removes refs that keep another commit than they say. @throws TooManyRefs */
async function sortOutKept(target: string): Promise<void> {
  const kept = await listRefs(target, { prefixes: [KEPT], most: MOST_REFS + 1 });
  if (kept.length > MOST_REFS) throw new TooManyRefs(MOST_REFS);
  const wrong = kept.filter(({ name, sha, type }) => type !== 'commit' || name !== `${KEPT}/${sha}`);
  await updateRefs(
    target,
    wrong.map(({ name }) => ({ ref: name, new: null })),
  );
}

/**
 * Makes a repository at `target` out of the branches and tags of a bundle, and of the commits that it keeps besides, whose objects are all checked as those of a
 * push are: older versions of git fetch from a bundle without a look at what they get. A bundle that builds on commits
 * of another one is none.
 * @param file path of the bundle
 * @throws GitFailed where it is damaged, or holds what git would not take, GitTimeout, TooManyRefs, the signal's reason
 */
export async function bringBundle(file: string, target: string, signal?: AbortSignal): Promise<void> {
  await createRepository(target, 'main');
  const limits = { timeoutMs, lane: 'long' as const, ...(signal && { signal }) };
  await runGit(target, ['bundle', 'verify', '--quiet', file], limits);
  const fetch = ['fetch', '--quiet', '--no-write-fetch-head', '--no-auto-maintenance', '--no-tags', '--stdin', '--'];
  const input = '+refs/heads/*:refs/heads/*\n+refs/tags/*:refs/tags/*\n+refs/keep-around/*:refs/keep-around/*\n';
  await runGit(target, [...fetch, file], { ...limits, input });
  await sortOutKept(target);
  const fsck = ['fsck', '--strict', '--no-dangling', '--no-progress', '--no-reflogs'];
  await runGit(target, fsck, { ...limits, cutOutput: true, extras: { settings: CHECKS } });
}
