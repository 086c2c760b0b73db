import type { Repository } from './pools.js';
import { cutText, eachRecord } from './output-records.js';
import { onCommit, requireCommitId } from './revisions.js';
import { scanGit } from './run.js';

/** Who wrote commits, by the address in them. */
export interface Contributor {
  /** As in the newest of the commits. */
  name: string;
  email: string;
  commits: number;
}

const NUL = 0;
/** Of a name or address. */
const IDENTITY_BYTES = 1024;
/** Addresses that are counted; the commits of others are not. */
const MOST = 20_000;

/**
 * The authors of the commits in a revision's history, without merges: one for each email address, in order of
 * appearance in the history. Throws RevisionNotFound.
 */
export async function readContributors(repository: Repository, revision: string): Promise<Contributor[]> {
  const sha = await requireCommitId(repository, revision);
  const found = new Map<string, Contributor>();
  let name: string | null = null;
  const take = eachRecord(NUL, IDENTITY_BYTES, (record) => {
    if (name === null) {
      name = cutText(record, IDENTITY_BYTES);
      return;
    }
    const email = cutText(record, IDENTITY_BYTES);
    const contributor = found.get(email);
    if (contributor) contributor.commits += 1;
    else if (found.size < MOST) found.set(email, { name, email, commits: 1 });
    name = null;
  });
  const args = ['log', '-z', '--no-merges', '--no-mailmap', '--format=tformat:%an%x00%ae', sha, '--'];
  await onCommit(revision, scanGit(repository, args, take, { pool: 'long' }));
  return [...found.values()];
}
