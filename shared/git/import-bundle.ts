import { HIDDEN_NAMESPACES, isOtherRefName } from './ref-names.js';
import { listRefs, updateRefs } from './refs.js';
import type { Ref } from './refs.js';
import { TooManyRefs } from './errors.js';
import { MOST_REFS } from './remote.js';
import { createRepository } from './repository.js';
import { runGit } from './run.js';

/** Minutes that a large repository may take, for each step. */
const timeoutMs = 30 * 60_000;

/** The checks of a push, except for mistakes of old programs that occur in the history of many old projects. */
const CHECKS = {
  'fsck.badTimezone': 'ignore',
  'fsck.missingSpaceBeforeDate': 'ignore',
  'fsck.zeroPaddedFilemode': 'ignore',
};

/** The refs for commits that are no longer on any branch: each commit has a ref named after it. */
const KEEP_AROUND = 'refs/keep-around';

/** Whether a ref points to the commit in its name. */
const isKeepAround = ({ name, sha, type }: Ref): boolean => type === 'commit' && name === `${KEEP_AROUND}/${sha}`;

/**
 * Removes keep-around refs that do not point to the commit in their name, and refs that no user could push.
 * @throws TooManyRefs
 */
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
/** All refs except the service's own, which it creates again. */
const ALL = [
  '+refs/*:refs/*',
  ...[...HIDDEN_NAMESPACES, 'refs/merge-requests'].flatMap((name) => (name === KEEP_AROUND ? [] : [`^${name}/*`])),
];

/**
 * Creates a repository at `target` from the branches and tags of a bundle and its keep-around commits. All their
 * objects are checked like those of a push, because older versions of git fetch from a bundle without checking its
 * content. A bundle that depends on commits of another one is invalid.
 * @param file path of the bundle
 * @param options.others include refs that are neither branches nor tags, such as `refs/notes/commits`
 * @throws GitFailed if it is damaged, or contains objects that git would not accept, GitTimeout, TooManyRefs, the
 * signal's reason
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
