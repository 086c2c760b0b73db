import type { Repository } from './pools.js';
import { requireSha } from './object-ids.js';
import { eachRecord } from './output-records.js';
import { scanGit } from './run.js';

const END_OF_LINE = 10;
/** Of a line: ids of a commit and its parents, more of which no merge has. */
const LINE_BYTES = 8 * 1024;

/**
 * For each commit of a range, the commit on the branch's first-parent line that introduced it: the merge for merged
 * commits, and itself for commits on that line. Full ids; one process, over the newest `most` commits.
 */
export async function landingCommits(
  repository: Repository,
  { from, to }: { from: string; to: string },
  most: number,
): Promise<Map<string, string>> {
  const parents = new Map<string, string[]>();
  const take = eachRecord(END_OF_LINE, LINE_BYTES, (record) => {
    const [sha = '', ...rest] = record.toString('latin1').split(' ');
    parents.set(sha, rest);
  });
  const range = [`--max-count=${most}`, requireSha(to), `^${requireSha(from)}`, '--'];
  await scanGit(repository, ['rev-list', '--parents', ...range], take, { pool: 'long' });
  const line: string[] = [];
  for (let at: string | undefined = to; at !== undefined && parents.has(at); at = parents.get(at)?.[0]) line.push(at);
  const landed = new Map<string, string>();
  // The oldest first: what it has came by it.
  for (const commit of line.toReversed()) {
    const waiting = [commit];
    for (let sha = waiting.pop(); sha !== undefined; sha = waiting.pop()) {
      if (landed.has(sha) || !parents.has(sha)) continue;
      landed.set(sha, commit);
      waiting.push(...(parents.get(sha) ?? []));
    }
  }
  return landed;
}
