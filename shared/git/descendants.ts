import { GitFailed } from './errors.js';
import type { Repository } from './pools.js';
import { requireSha } from './object-ids.js';
import { eachRecord } from './output-records.js';
import { scanGit } from './run.js';

const END_OF_LINE = 10;
const LONGEST_ID = 128;

/**
 * The commits that have `ancestor` in their history, `ancestor` itself included (all full ids): one walk from them,
 * which stops at `ancestor`. Commits that the repository lacks are left out; if it lacks `ancestor`, the result is
 * empty.
 */
export async function descendantsAmong(
  repository: Repository,
  ancestor: string,
  commits: readonly string[],
): Promise<Set<string>> {
  const sought = new Set(commits);
  const found = new Set(commits.filter((sha) => sha === ancestor));
  const take = eachRecord(END_OF_LINE, LONGEST_ID, (record) => {
    const sha = record.toString('latin1');
    if (sought.has(sha)) found.add(sha);
  });
  const base = requireSha(ancestor);
  const revisions = ['--ignore-missing', `--ancestry-path=${base}`, ...[...sought].map(requireSha), `^${base}`, '--'];
  try {
    await scanGit(repository, ['rev-list', ...revisions], take, { pool: 'long' });
  } catch (error) {
    if (error instanceof GitFailed && /bad object|not a valid (object|commit) name/i.test(error.stderr)) return found;
    throw error;
  }
  return found;
}
