import { commitsOfRanges, filesOfRanges, MOST_DIFF_FILES, readCommits, RevisionNotFound } from '../../git/index.js';
import type { Commit, RangeCommits, Repository } from '../../git/index.js';
import { COMMITS, describeVersion } from './read-version.js';
import type { ReadVersion, VersionShas } from './read-version.js';

/** Commits that are read by one process. */
const COMMITS_AT_ONCE = 2000;

/** The commits of a range that are stored: up to a maximum number and a maximum size in bytes. */
function selectCommits(
  { shas }: RangeCommits,
  commits: ReadonlyMap<string, Commit>,
  bytes: ReadonlyMap<string, number>,
) {
  const result: Commit[] = [];
  let sum = 0;
  for (const sha of shas) {
    const commit = commits.get(sha);
    sum += bytes.get(sha) ?? 0;
    if (!commit || sum > COMMITS.mostBytes) break;
    result.push(commit);
  }
  return result;
}

/** Each version separately. @returns null for a version whose commits no longer exist */
async function describeEach(repository: Repository, versions: readonly VersionShas[]): Promise<(ReadVersion | null)[]> {
  const read: (ReadVersion | null)[] = [];
  for (const version of versions)
    read.push(
      await describeVersion(repository, version).catch((error: unknown) => {
        if (error instanceof RevisionNotFound) return null;
        throw error;
      }),
    );
  return read;
}

/**
 * Reads versions whose commits are in the repository from git, with a few processes for all of them. Keep their number
 * small: the data of all of them is in memory at once.
 * @returns in the same order; null for a version whose commits no longer exist
 */
export async function describeVersions(
  repository: Repository,
  versions: readonly VersionShas[],
): Promise<(ReadVersion | null)[]> {
  if (versions.length < 2) return describeEach(repository, versions);
  const [ranges, files] = await Promise.all([
    commitsOfRanges(
      repository,
      versions.map(({ start_sha: from, head_sha: to }) => ({ from, to })),
      COMMITS.most,
    ),
    filesOfRanges(
      repository,
      versions.map(({ base_sha: base, start_sha: start, head_sha: to }) => ({ from: base ?? start, to })),
    ),
  ]);
  if (!ranges || !files) return describeEach(repository, versions);
  const shas = [...new Set(ranges.flatMap((range) => range.shas))];
  const commits = new Map<string, Commit>();
  for (let at = 0; at < shas.length; at += COMMITS_AT_ONCE)
    for (const [sha, commit] of await readCommits(repository, shas.slice(at, at + COMMITS_AT_ONCE)))
      commits.set(sha, commit);
  const bytes = new Map([...commits].map(([sha, commit]) => [sha, Buffer.byteLength(JSON.stringify(commit))]));
  return versions.map(({ head_sha, base_sha, start_sha }, index) => ({
    head_sha,
    base_sha,
    start_sha,
    commits: selectCommits(ranges[index]!, commits, bytes),
    commits_count: ranges[index]!.count,
    files_count: Math.min(files[index]!, MOST_DIFF_FILES),
    files_overflow: files[index]! > MOST_DIFF_FILES,
    // Two processes for each would take longer than all the rest.
    patch_id_sha: null,
  }));
}
