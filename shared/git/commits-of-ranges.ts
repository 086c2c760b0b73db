import type { DiffRange } from './diffs.js';
import { GitFailed, GitOutputTooLarge, GitTimeout } from './errors.js';
import type { Repository } from './pools.js';
import { requireSha } from './object-ids.js';
import { comparingFiles, wasTooLarge, type Comparing } from './compare-files.js';
import { eachRecord } from './output-records.js';
import { runGit, scanGit } from './run.js';

const NUL = 0;
const END_OF_LINE = 10;
/** Of a line: a time, and ids of a commit and its parents, more of which no merge has. */
const LINE_BYTES = 8 * 1024;
/** Longer than a commit's id. */
const RECORD_BYTES = 48;
/** Maximum number of commits in memory; for longer histories, each range must be read separately. */
const MOST_COMMITS = 50_000;
/** For a command that replaces many. */
const TIMEOUT_MS = 60_000;

/** The commits that one commit has beyond another. */
export interface RangeCommits {
  /** The newest commits first, in the order of `git log`, up to the requested number. */
  readonly shas: readonly string[];
  /** How many there are. */
  readonly count: number;
}

interface HistoryCommit {
  readonly sha: string;
  /** Seconds. */
  readonly time: number;
  /** Indexes of its parents in the history; those that are in no range are left out. */
  parents: readonly number[];
}

/** Whether git could not do for several at once what it can do for each. */
const isTooMuch = (error: unknown): boolean =>
  error instanceof GitTimeout || error instanceof GitOutputTooLarge || wasTooLarge(error);

/** What all of some commits (full ids) have, or null where their histories have nothing in common. */
async function getCommon(repository: Repository, shas: readonly string[]): Promise<string | null> {
  const args = ['merge-base', '--octopus', ...shas.map(requireSha)];
  const { stdout, exitCode } = await runGit(repository, args, {
    exitCodes: [0, 1],
    pool: 'long',
    timeoutMs: TIMEOUT_MS,
  });
  return exitCode === 0 ? stdout.toString('latin1').trim() : null;
}

/** The history that contains the ranges, children before parents; null if it is too long. */
async function getHistory(repository: Repository, ranges: readonly DiffRange[]): Promise<HistoryCommit[] | null> {
  const starts = [...new Set(ranges.map(({ from }) => from))];
  const common = await getCommon(repository, starts);
  const tips = [...new Set([...starts, ...ranges.map(({ to }) => to)])].map(requireSha);
  const input = `${[...tips, ...(common === null ? [] : [`^${common}`])].join('\n')}\n`;
  const found: { sha: string; time: number; parents: string[] }[] = [];
  const take = eachRecord(END_OF_LINE, LINE_BYTES, (record) => {
    const [time = '', sha = '', ...parents] = record.toString('latin1').split(' ');
    found.push({ sha, time: Number(time), parents });
    return found.length > MOST_COMMITS;
  });
  const args = ['rev-list', '--topo-order', '--parents', '--timestamp', '--stdin'];
  await scanGit(repository, args, take, { pool: 'long', input, timeoutMs: TIMEOUT_MS });
  if (found.length > MOST_COMMITS) return null;
  const indexes = new Map(found.map(({ sha }, index) => [sha, index]));
  return found.map(({ parents, ...commit }) => ({
    ...commit,
    parents: parents.flatMap((sha) => indexes.get(sha) ?? []),
  }));
}

/** Inserts an index into a list that is consumed from its end; it comes after equal ones that were added earlier. */
function insert(waiting: number[], index: number, isBefore: (one: number, other: number) => boolean): void {
  let [low, high] = [0, waiting.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    // The first one to be consumed comes last.
    if (isBefore(index, waiting[middle]!)) low = middle + 1;
    else high = middle;
  }
  waiting.splice(low, 0, index);
}

const OURS = 1;
const THEIRS = 2;

/** Indexes of the commits reachable from `to` but not from `from`. All children of a commit are visited before it. */
function beyond(history: readonly HistoryCommit[], from: number | undefined, to: number): Set<number> {
  const marks = new Map<number, number>();
  const waiting: number[] = [];
  let ours = 0;
  const mark = (index: number, as: number) => {
    const before = marks.get(index) ?? 0;
    if (before === 0) insert(waiting, index, (one, other) => one < other);
    marks.set(index, before | as);
    ours += Number((before | as) === OURS) - Number(before === OURS);
  };
  mark(to, OURS);
  if (from !== undefined) mark(from, THEIRS);
  const found = new Set<number>();
  while (ours > 0) {
    const index = waiting.pop()!;
    const as = marks.get(index) === OURS ? OURS : THEIRS;
    if (as === OURS) {
      found.add(index);
      ours -= 1;
    }
    for (const parent of history[index]!.parents) mark(parent, as);
  }
  return found;
}

/** The newest of some indexes, in the order of `git log`: by time, each behind one of its children. */
function getNewest(
  history: readonly HistoryCommit[],
  among: ReadonlySet<number>,
  first: number,
  most: number,
): string[] {
  const shas: string[] = [];
  const visitedShas = new Set([first]);
  const waiting = [first];
  while (waiting.length > 0 && shas.length < most) {
    const { sha, parents } = history[waiting.pop()!]!;
    shas.push(sha);
    for (const parent of parents) {
      if (!among.has(parent) || visitedShas.has(parent)) continue;
      visitedShas.add(parent);
      insert(waiting, parent, (one, other) => history[one]!.time > history[other]!.time);
    }
  }
  return shas;
}

/**
 * The commits of each range, with two processes for all of them; equals the results of readRange and countRange for
 * one. Ids must be full, of existing commits.
 * @param most maximum number of ids per range
 * @returns null if their combined histories are too long
 */
export async function commitsOfRanges(
  repository: Repository,
  ranges: readonly DiffRange[],
  most: number,
): Promise<RangeCommits[] | null> {
  if (ranges.length === 0) return [];
  const history = await getHistory(repository, ranges).catch((error: unknown) => {
    if (isTooMuch(error)) return null;
    throw error;
  });
  if (!history) return null;
  const indexes = new Map(history.map(({ sha }, index) => [sha, index]));
  return ranges.map(({ from, to }) => {
    const first = indexes.get(to);
    // All that have a part in these ranges have it.
    if (first === undefined) return { shas: [], count: 0 };
    const found = beyond(history, indexes.get(from), first);
    return { shas: found.has(first) ? getNewest(history, found, first, most) : [], count: found.size };
  });
}

/**
 * The number of changed files in each range of commits, with one process for all of them; equals the result of
 * countFiles for one, without an upper bound.
 * @returns null if git cannot do it for all of them
 */
export async function filesOfRanges(repository: Repository, ranges: readonly DiffRange[]): Promise<number[] | null> {
  if (ranges.length === 0) return [];
  const input = ranges.map(({ from, to }) => `${requireSha(to)} ${requireSha(from)}\n`).join('');
  const compare = ({ renames, extras, large }: Comparing) =>
    large ? Promise.resolve(null) : countEach(repository, input, [...renames], extras);
  const counts = await comparingFiles<number[] | null>(compare).catch((error: unknown) => {
    if (isTooMuch(error)) return null;
    throw error;
  });
  if (counts && counts.length !== ranges.length) throw new GitFailed('diff-tree', 0, 'fewer answers than questions');
  return counts;
}

/** Each comparison is a record with the commit's id, and then a status and one or two paths for each file. */
async function countEach(
  repository: Repository,
  input: string,
  renames: readonly string[],
  extras: Comparing['extras'],
): Promise<number[]> {
  const counts: number[] = [];
  let paths = 0;
  const take = eachRecord(NUL, RECORD_BYTES, (record) => {
    if (paths > 0) {
      paths -= 1;
    } else if (record.length >= 40) {
      counts.push(0);
    } else {
      counts.push((counts.pop() ?? 0) + 1);
      paths = /^[RC]/.test(record.toString('latin1')) ? 2 : 1;
    }
  });
  const args = ['diff-tree', '--stdin', '--always', '-r', '-z', '--name-status', ...renames];
  await scanGit(repository, args, take, { pool: 'long', extras, input, timeoutMs: TIMEOUT_MS });
  return counts;
}
