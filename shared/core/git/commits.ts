import { commitFormatArgs, parseCommits, type Commit } from './commit-format.js';
import { GitFailed } from './errors.js';
import { isValidFilePath } from './file-paths.js';
import { isSha } from './object-ids.js';
import { peelToCommits } from './objects.js';
import { onCommit, requireCommit } from './revisions.js';
import { runGitText } from './run.js';

/** Reads commits by their full ids, in one process; ids that are no commit are missing from the answer. */
export async function readCommits(repository: string, shas: string[]): Promise<Map<string, Commit>> {
  const output = await logOf(repository, shas, commitFormatArgs);
  return new Map(parseCommits(output).map((commit) => [commit.sha, commit]));
}

/** `git log` of exactly these commits. */
async function logOf(repository: string, shas: string[], args: string[]): Promise<string> {
  const wanted = [...new Set(shas)].filter(isSha);
  if (wanted.length === 0) return '';
  const log = (commits: string[]): Promise<string> =>
    runGitText(repository, ['log', '--no-walk=unsorted', '--stdin', ...args], { input: `${commits.join('\n')}\n` });
  try {
    return await log(wanted);
  } catch (error) {
    if (!(error instanceof GitFailed) || !/bad object|not a commit/.test(error.stderr)) throw error;
    // Rare, so it is paid for only here: which of them exist?
    const commits = await peelToCommits(repository, wanted);
    const existing = wanted.filter((sha, index) => commits[index] === sha);
    return existing.length === 0 ? '' : log(existing);
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

/** Lists commits, newest first. An empty repository, or no revision, gives none. */
export async function listCommits(repository: string, filter: CommitFilter): Promise<Commit[]> {
  const path = (filter.path ?? '').replace(/\/+$/, '');
  if (path !== '' && !isValidFilePath(path)) return [];
  const [revisions, exclude] = await Promise.all(
    [filter.revisions ?? [], filter.exclude ?? []].map((names) =>
      Promise.all(names.map((name) => requireCommit(repository, name))),
    ),
  );
  if (!filter.all && revisions!.length === 0) return [];
  const starts = [...revisions!, ...exclude!.map((sha) => `^${sha}`)];
  const args = ['log', ...commitFormatArgs, ...filterArgs(filter), ...starts, '--'];
  const log = runGitText(repository, path === '' ? args : [...args, path]);
  return parseCommits(await onCommit(filter.revisions?.join(' ') ?? '', log));
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

/** Lines changed against the first parent; a renamed file counts only its changed lines. */
export interface CommitStats {
  additions: number;
  deletions: number;
  total: number;
}

/** The stats of several commits by full id, in one process; ids that are no commit are missing from the answer. */
export async function readCommitStats(repository: string, shas: string[]): Promise<Map<string, CommitStats>> {
  const args = ['--format=tformat:%x00%H', '--shortstat', '-m', '--first-parent', '--root', '-M', '--no-ext-diff'];
  const stats = new Map<string, CommitStats>();
  for (const record of (await logOf(repository, shas, args)).split('\0').slice(1)) {
    const additions = Number(/(\d+) insertion/.exec(record)?.[1] ?? 0);
    const deletions = Number(/(\d+) deletion/.exec(record)?.[1] ?? 0);
    stats.set(record.slice(0, 40), { additions, deletions, total: additions + deletions });
  }
  return stats;
}

/** The stats of one commit, or null where there is none. */
export async function commitStats(repository: string, sha: string): Promise<CommitStats | null> {
  return (await readCommitStats(repository, [sha])).get(sha) ?? null;
}
