import { commitFormatArgs, eachCommit, LISTED, WHOLE, type Commit, type CommitLimits } from './commit-format.js';
import { GitFailed } from './errors.js';
import { isValidFilePath } from './file-paths.js';
import type { PoolName, Repository } from './pools.js';
import { isSha, requireSha } from './object-ids.js';
import { peelToCommits } from './objects.js';
import { eachRecord } from './output-records.js';
import { onCommit, requireCommitId } from './revisions.js';
import { scanGit, type ScanOptions, type TakeOutput } from './run.js';
import { comparingFiles, type Comparing } from './compare-files.js';

/**
 * Reads commits by their full ids, in one process; ids that are no commit are missing from the answer. Long texts are
 * cut: one commit as a whole is what readCommit is for.
 */
export async function readCommits(repository: Repository, shas: string[]): Promise<Map<string, Commit>> {
  return readWithin(repository, shas, LISTED);
}

/** One commit by its full id with all of its text, up to a mebibyte of message; null where there is none. */
export async function readCommit(repository: Repository, sha: string): Promise<Commit | null> {
  return (await readWithin(repository, [sha], WHOLE)).get(sha) ?? null;
}

async function readWithin(repository: Repository, shas: string[], limits: CommitLimits): Promise<Map<string, Commit>> {
  const commits = new Map<string, Commit>();
  await getLog(repository, shas, commitFormatArgs, { pool: 'short' }, () =>
    eachCommit(limits, (commit) => {
      commits.set(commit.sha, commit);
    }),
  );
  return commits;
}

/** `git log` of exactly these commits. `take` is called again to create a new consumer if the first attempt fails. */
async function getLog(
  repository: Repository,
  shas: string[],
  args: string[],
  options: Pick<ScanOptions, 'pool' | 'extras'>,
  take: () => TakeOutput,
): Promise<void> {
  const ids = [...new Set(shas)].filter(isSha);
  if (ids.length === 0) return;
  const log = async (commits: string[]): Promise<void> => {
    const input = `${commits.join('\n')}\n`;
    await scanGit(repository, ['log', '--no-walk=unsorted', '--stdin', ...args], take(), { input, ...options });
  };
  try {
    await log(ids);
  } catch (error) {
    if (!(error instanceof GitFailed) || !/bad object|not a commit/.test(error.stderr)) throw error;
    // Rare, so it is paid for only here: which of them exist?
    const commits = await peelToCommits(repository, ids);
    const existing = ids.filter((sha, index) => commits[index] === sha);
    if (existing.length > 0) await log(existing);
  }
}

export interface CommitFilter {
  /** Branches, tags or ids to start from; unknown ones throw RevisionNotFound. */
  revisions?: string[];
  /** Start from every branch and tag. */
  all?: boolean;
  /** Leave out these and their history: `{revisions: [b], exclude: [a]}` is the range `a..b`. */
  exclude?: string[];
  /** Committed at or after, at or before; whole seconds. */
  since?: Date | undefined;
  until?: Date | undefined;
  /** Only commits that change this file or folder. */
  path?: string | undefined;
  /** Only commits whose author's `name <mail>` contains this text. */
  author?: string | undefined;
  firstParent?: boolean | undefined;
  /** `topo` keeps lines of development together; else newest first. */
  order?: 'default' | 'topo' | 'date' | undefined;
  skip?: number | undefined;
  limit?: number | undefined;
}

/** Past so many commits a walk takes as long as a search does. */
const longSkip = 5000;

/** A search, and whatever needs all of the history before its first commit. */
function choosePool({ path, author, since, until, all, exclude = [], order, skip = 0 }: CommitFilter): PoolName {
  const searches = [path, author, since, until].some((filter) => filter !== undefined && filter !== '');
  return searches || all || exclude.length > 0 || order === 'topo' || skip > longSkip ? 'long' : 'short';
}

/** Lists commits, newest first, long texts cut. An empty repository, or no revision, gives none. */
export async function readLog(repository: Repository, filter: CommitFilter): Promise<Commit[]> {
  const path = (filter.path ?? '').replace(/\/+$/, '');
  if (path !== '' && !isValidFilePath(path)) return [];
  const [revisions, exclude] = await Promise.all(
    [filter.revisions ?? [], filter.exclude ?? []].map((names) =>
      Promise.all(names.map((name) => requireCommitId(repository, name))),
    ),
  );
  if (!filter.all && revisions!.length === 0) return [];
  const starts = [...revisions!, ...exclude!.map((sha) => `^${sha}`)];
  const args = ['log', ...commitFormatArgs, ...filterArgs(filter), ...starts, '--', ...(path === '' ? [] : [path])];
  const commits: Commit[] = [];
  const take = eachCommit(LISTED, (commit) => {
    commits.push(commit);
  });
  await onCommit(filter.revisions?.join(' ') ?? '', scanGit(repository, args, take, { pool: choosePool(filter) }));
  return commits;
}

/** What one commit has beyond another; both are full ids. */
interface CommitRange {
  from: string;
  to: string;
}

/**
 * The commits that are in `to` but not in `from`, newest first, with long texts cut: at most `most`, and at most
 * `mostBytes` as JSON. `more` indicates that there are others. Throws RevisionNotFound.
 */
export async function readRange(
  repository: Repository,
  { from, to }: CommitRange,
  { most, mostBytes }: { most: number; mostBytes: number },
): Promise<{ commits: Commit[]; more: boolean }> {
  const commits: Commit[] = [];
  let bytes = 0;
  let more = false;
  const take = eachCommit(LISTED, (commit) => {
    bytes += Buffer.byteLength(JSON.stringify(commit));
    more = commits.length >= most || bytes > mostBytes;
    if (!more) commits.push(commit);
    return more;
  });
  const args = ['log', ...commitFormatArgs, requireSha(to), `^${requireSha(from)}`, '--'];
  await onCommit(to, scanGit(repository, args, take, { pool: 'long' }));
  return { commits, more };
}

function filterArgs(filter: CommitFilter): string[] {
  const args: string[] = [];
  if (filter.all) args.push('--branches', '--tags');
  if (filter.since) args.push(`--max-age=${seconds(filter.since)}`);
  if (filter.until) args.push(`--min-age=${seconds(filter.until)}`);
  if (filter.author) args.push('--fixed-strings', `--author=${filter.author.replaceAll('\0', '')}`);
  if (filter.firstParent) args.push('--first-parent');
  if (filter.order === 'topo') args.push('--topo-order');
  if (filter.order === 'date') args.push('--date-order');
  if (filter.skip !== undefined) args.push(`--skip=${Math.trunc(filter.skip)}`);
  if (filter.limit !== undefined) args.push(`--max-count=${Math.trunc(filter.limit)}`);
  return args;
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** Lines changed against the first parent. Files over 4 MiB count as binary, which have no lines. */
export interface CommitStats {
  additions: number;
  deletions: number;
  total: number;
}

const newline = 0x0a;
const statsArgs = ['--format=tformat:%H', '--shortstat', '-m', '--first-parent', '--root', '--no-ext-diff'];

/**
 * The stats of several commits by full id, in one process; ids that are no commit are missing from the answer. A
 * renamed file counts nothing, a renamed and changed one as a whole: to find those takes comparing each with each.
 */
export async function readCommitStats(repository: Repository, shas: string[]): Promise<Map<string, CommitStats>> {
  return getStats(repository, shas, true);
}

/** The stats of one commit, or null where there is none. A renamed file counts its changed lines. */
export async function commitStats(repository: Repository, sha: string): Promise<CommitStats | null> {
  return (await getStats(repository, [sha], false)).get(sha) ?? null;
}

/** @param exact whether only files that did not change count as renamed */
async function getStats(repository: Repository, shas: string[], exact: boolean): Promise<Map<string, CommitStats>> {
  const stats = new Map<string, CommitStats>();
  let sha = '';
  const take = (record: Buffer): void => {
    const text = record.toString('latin1');
    if (isSha(text)) {
      sha = text;
      stats.set(sha, { additions: 0, deletions: 0, total: 0 });
      return;
    }
    const additions = Number(/(\d+) insertion/.exec(text)?.[1] ?? 0);
    const deletions = Number(/(\d+) deletion/.exec(text)?.[1] ?? 0);
    if (additions + deletions > 0) stats.set(sha, { additions, deletions, total: additions + deletions });
  };
  const read = ({ renames, extras }: Comparing) =>
    getLog(repository, shas, [...statsArgs, ...renames], { pool: 'long', extras }, () =>
      eachRecord(newline, 200, take),
    );
  await comparingFiles(read, { exact });
  return stats;
}
