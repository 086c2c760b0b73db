import { GitFailed } from './errors.js';
import type { Repository } from './pools.js';
import { requireSha } from './object-ids.js';
import { eachRecord } from './output-records.js';
import { scanGit } from './run.js';

const NUL = 0;
/** Of a message; the note on a cherry-pick's source is at its end. */
const MESSAGE_BYTES = 256 * 1024;
const PICKED_FROM = /^\(cherry picked from commit ([\da-f]{40,64})\)\s*$/gm;

/** The commits of a range, and those that they were picked from, as full ids. */
interface NewCommits {
  shas: string[];
  picked_from: string[];
}

/**
 * The newest `most` commits that are not reachable from another one, each with the commits that its message lists as
 * cherry-pick sources.
 * @returns false if the repository lacks a required commit
 */
async function eachNewCommit(
  repository: Repository,
  range: readonly string[],
  most: number,
  take: (sha: string, pickedFrom: readonly string[]) => void,
): Promise<boolean> {
  let sha: string | null = null;
  const record = eachRecord(NUL, MESSAGE_BYTES, (part) => {
    const text = part.toString('utf8');
    if (sha === null) {
      sha = text;
      return;
    }
    take(
      sha,
      Array.from(text.matchAll(PICKED_FROM), ([, from = '']) => from),
    );
    sha = null;
  });
  const args = ['log', '-z', '--format=tformat:%H%x00%B', `--max-count=${most}`, ...range, '--'];
  try {
    await scanGit(repository, args, record, { pool: 'long' });
  } catch (error) {
    if (error instanceof GitFailed && /bad object|not a valid (object|commit) name/i.test(error.stderr)) return false;
    throw error;
  }
  return true;
}

/**
 * What `to` has beyond `from` (full ids), the newest `most`, in one process; null where the repository lacks one of the
 * two.
 */
export async function readNewCommits(
  repository: Repository,
  { from, to }: { from: string; to: string },
  most: number,
): Promise<NewCommits | null> {
  const shas: string[] = [];
  const picked = new Set<string>();
  const isThere = await eachNewCommit(repository, [requireSha(to), `^${requireSha(from)}`], most, (sha, pickedFrom) => {
    shas.push(sha);
    for (const one of pickedFrom) picked.add(one);
  });
  return isThere ? { shas, picked_from: [...picked] } : null;
}

/**
 * Commits that say that they were picked from one of `originals`, the oldest first: of what `heads` have beyond `base`,
 * the newest `most` (all full ids), in one process. Heads that the repository lacks have none.
 */
export async function picksAmong(
  repository: Repository,
  originals: ReadonlySet<string>,
  { base, heads }: { base: string; heads: readonly string[] },
  most: number,
): Promise<string[]> {
  const picks: string[] = [];
  const range = ['--ignore-missing', ...heads.map(requireSha), `^${requireSha(base)}`];
  await eachNewCommit(repository, range, most, (sha, pickedFrom) => {
    if (pickedFrom.some((from) => originals.has(from))) picks.push(sha);
  });
  return picks.reverse();
}
