import { HIDDEN_NAMESPACES, isOtherRefName } from './ref-names.js';
import { listRefs, updateRefs } from './refs.js';
import type { Ref } from './refs.js';
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
const KEEP_AROUND = 'refs/keep-around';

/** Whether a ref keeps the commit that it says. */
const isKeepAround = ({ name, sha, type }: Ref): boolean => type === 'commit' && name === `${KEEP_AROUND}/${sha}`;

/** Removes refs that keep another commit than they say, and what is none that anybody could push. @throws TooManyRefs */
async function sortOutRefs(target: string): Promise<void> {
  const keepAroundRefs = await listRefs(target, { prefixes: [KEEP_AROUND], most: MOST_REFS + 1 });
  const all = await listRefs(target, { most: 2 * MOST_REFS + 1 });
  if (keepAroundRefs.length > MOST_REFS || all.length > 2 * MOST_REFS) throw new TooManyRefs(MOST_REFS);
  const mayStay = (ref: Ref) => /^refs\/(heads|tags)\//.test(ref.name) || isOtherRefName(ref.name) || isKeepAround(ref);
  const wrong = all.filter((ref) => !mayStay(ref));
  await updateRefs(
    target,
    wrong.map(({ name }) => ({ ref: name, new: null })),
  );
}

const BRANCHES_AND_TAGS = [
  '+refs/heads/*:refs/heads/*',
  '+refs/tags/*:refs/tags/*',
  `+${KEEP_AROUND}/*:${KEEP_AROUND}/*`,
];
/** All refs but those of the service itself, which it makes anew. */
const ALL = [
  '+refs/*:refs/*',
  ...[...HIDDEN_NAMESPACES, 'refs/merge-requests'].flatMap((name) => (name === KEEP_AROUND ? [] : [`^${name}/*`])),
];

/**
 * Makes a repository at `target` out of the branches and tags of a bundle, and of the commits that it keeps besides, whose objects are all checked as those of a
 * push are: older versions of git fetch from a bundle without a look at what they get. A bundle that builds on commits
 * of another one is none.
 * @param file path of the bundle
 * @param options.others with refs that are neither branches nor tags, such as `refs/notes/commits`
 * @throws GitFailed where it is damaged, or holds what git would not take, GitTimeout, TooManyRefs, the signal's reason
 */
export async function importBundle(
  file: string,
  target: string,
  signal?: AbortSignal,
  { others = false }: { others?: boolean } = {},
): Promise<void> {
  await createRepository(target, 'main');
  const limits = { timeoutMs, pool: 'long' as const, ...(signal && { signal }) };
  await runGit(target, ['bundle', 'verify', '--quiet', file], limits);
  const fetch = ['fetch', '--quiet', '--no-write-fetch-head', '--no-auto-maintenance', '--no-tags', '--stdin', '--'];
  const input = (others ? ALL : BRANCHES_AND_TAGS).map((spec) => `${spec}\n`).join('');
  await runGit(target, [...fetch, file], { ...limits, input });
  await sortOutRefs(target);
  const fsck = ['fsck', '--strict', '--no-dangling', '--no-progress', '--no-reflogs'];
  await runGit(target, fsck, { ...limits, cutOutput: true, extras: { settings: CHECKS } });
}
