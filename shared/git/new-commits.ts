import { GitFailed } from './errors.js';
import type { Repository } from './lanes.js';
import { requireSha } from './object-ids.js';
import { eachRecord } from './output-records.js';
import { scanGit } from './run.js';

const NUL = 0;
/** Of a message; what says where a commit was picked from stands at its end. */
const MESSAGE_BYTES = 256 * 1024;
const PICKED_FROM = /^\(cherry picked from commit ([\da-f]{40,64})\)\s*$/gm;

/** The commits of a range, and those that they were picked from, as full ids. */
interface NewCommits {
  shas: string[];
  picked_from: string[];
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
  let isMessage = false;
  const take = eachRecord(NUL, MESSAGE_BYTES, (record) => {
    const text = record.toString('utf8');
    if (isMessage) for (const [, sha = ''] of text.matchAll(PICKED_FROM)) picked.add(sha);
    else shas.push(text);
    isMessage = !isMessage;
  });
  const range = [`--max-count=${most}`, requireSha(to), `^${requireSha(from)}`, '--'];
  try {
    await scanGit(repository, ['log', '-z', '--format=tformat:%H%x00%B', ...range], take, { lane: 'long' });
  } catch (error) {
    if (error instanceof GitFailed && /bad object|not a valid (object|commit) name/i.test(error.stderr)) return null;
    throw error;
  }
  return { shas, picked_from: [...picked] };
}
