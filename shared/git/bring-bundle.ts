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

/**
 * Makes a repository at `target` out of the branches and tags of a bundle, whose objects are all checked as those of a
 * push are: older versions of git fetch from a bundle without a look at what they get. A bundle that builds on commits
 * of another one is none.
 * @param file path of the bundle
 * @throws GitFailed where it is damaged, or holds what git would not take, GitTimeout, the signal's reason
 */
export async function bringBundle(file: string, target: string, signal?: AbortSignal): Promise<void> {
  await createRepository(target, 'main');
  const limits = { timeoutMs, lane: 'long' as const, ...(signal && { signal }) };
  await runGit(target, ['bundle', 'verify', '--quiet', file], limits);
  const fetch = ['fetch', '--quiet', '--no-write-fetch-head', '--no-auto-maintenance', '--no-tags', '--stdin', '--'];
  const input = '+refs/heads/*:refs/heads/*\n+refs/tags/*:refs/tags/*\n';
  await runGit(target, [...fetch, file], { ...limits, input });
  const fsck = ['fsck', '--strict', '--no-dangling', '--no-progress', '--no-reflogs'];
  await runGit(target, fsck, { ...limits, cutOutput: true, extras: { settings: CHECKS } });
}
