import type { Commit } from './commit-format.js';
import { readCommits } from './commits.js';
import { GitFailed, GitOutputTooLarge, InvalidGitInput } from './errors.js';
import { isValidFilePath } from './file-paths.js';
import type { Repository } from './pools.js';
import { eachRecord } from './output-records.js';
import { onCommit, requireCommitId } from './revisions.js';
import { scanGit, type TakeOutput } from './run.js';

export interface BlameGroup {
  commit: Commit;
  /** Without their line ends. */
  lines: string[];
}

export interface LineRange {
  /** From 1, both included. */
  start: number;
  end: number;
}

/**
 * Maximum size of the lines and commits of one blame as JSON, in bytes (decision 27), and a number of groups that
 * certainly exceeds it.
 */
const mostBytes = 12 * 1024 * 1024;
const mostGroups = 30_000;

/**
 * Who last changed each line of a file: neighbouring lines of one commit form a group. Null where the path is no file.
 * Throws RevisionNotFound, InvalidGitInput for a range outside of the file, and GitOutputTooLarge for more than 12 MiB:
 * a range is less.
 */
export async function blame(
  repository: Repository,
  revision: string,
  path: string,
  range?: LineRange,
): Promise<BlameGroup[] | null> {
  const sha = await requireCommitId(repository, revision);
  if (!isValidFilePath(path)) return null;
  const args = ['blame', '--porcelain', ...(range ? ['-L', rangeText(range)] : []), sha, '--', path];
  const found = await onCommit(revision, readGroups(repository, args));
  if (found === null) return null;
  const commits = await readCommits(
    repository,
    found.groups.map((group) => group.sha),
  );
  const sizes = new Map([...commits].map(([id, commit]) => [id, Buffer.byteLength(JSON.stringify(commit))]));
  const size = found.groups.reduce((sum, group) => sum + (sizes.get(group.sha) ?? 0), found.bytes);
  if (size > mostBytes) throw new GitOutputTooLarge('blame', mostBytes);
  return found.groups.map((group) => ({ commit: commits.get(group.sha)!, lines: group.lines }));
}

function rangeText({ start, end }: LineRange): string {
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 1 || end < start) {
    throw new InvalidGitInput('the range of lines is invalid');
  }
  return `${start},${end}`;
}

interface Found {
  groups: { sha: string; lines: string[] }[];
  /** Of all lines. */
  bytes: number;
}

async function readGroups(repository: Repository, args: string[]): Promise<Found | null> {
  const found: Found = { groups: [], bytes: 0 };
  try {
    await scanGit(repository, args, eachLine(found), { pool: 'long', timeoutMs: 60_000 });
    return found;
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    if (/no such path/.test(error.stderr)) return null;
    const tooShort = /has only (\d+) lines?/.exec(error.stderr);
    if (tooShort) throw new InvalidGitInput(`the file has only ${tooShort[1]} lines`);
    throw error;
  }
}

const tab = 0x09;

/** Each line of the file follows a tab, after a header that starts with its commit. */
function eachLine(found: Found): TakeOutput {
  let sha = '';
  return eachRecord(0x0a, mostBytes, (record) => {
    if (record[0] !== tab) {
      sha = /^([0-9a-f]{40}) \d+ \d+/.exec(record.toString('latin1', 0, 100))?.[1] ?? sha;
      return;
    }
    const line = record.toString('utf8', 1);
    found.bytes += Buffer.byteLength(JSON.stringify(line)) + 1;
    const last = found.groups.at(-1);
    if (last?.sha === sha) last.lines.push(line);
    else found.groups.push({ sha, lines: [line] });
    if (found.bytes > mostBytes || found.groups.length > mostGroups) throw new GitOutputTooLarge('blame', mostBytes);
  });
}
