import type { Commit } from './commit-format.js';
import { readCommits } from './commits.js';
import { GitFailed, InvalidGitInput } from './errors.js';
import { isValidFilePath } from './file-paths.js';
import { onCommit, requireCommit } from './revisions.js';
import { runGitText } from './run.js';

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
 * Who last changed each line of a file: neighbouring lines of one commit form a group. Null where the path is no file.
 * Throws RevisionNotFound, and InvalidGitInput for a range outside of the file.
 */
export async function blame(
  repository: string,
  revision: string,
  path: string,
  range?: LineRange,
): Promise<BlameGroup[] | null> {
  const sha = await requireCommit(repository, revision);
  if (!isValidFilePath(path)) return null;
  const args = ['blame', '--porcelain', ...(range ? ['-L', rangeText(range)] : []), sha, '--', path];
  const output = await onCommit(revision, blameOutput(repository, args));
  if (output === null) return null;
  const groups = parseGroups(output);
  const commits = await readCommits(
    repository,
    groups.map((group) => group.sha),
  );
  return groups.map((group) => ({ commit: commits.get(group.sha)!, lines: group.lines }));
}

function rangeText({ start, end }: LineRange): string {
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 1 || end < start) {
    throw new InvalidGitInput('the range of lines is invalid');
  }
  return `${start},${end}`;
}

async function blameOutput(repository: string, args: string[]): Promise<string | null> {
  try {
    return await runGitText(repository, args, { timeoutMs: 60_000 });
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    if (/no such path/.test(error.stderr)) return null;
    const tooShort = /has only (\d+) lines?/.exec(error.stderr);
    if (tooShort) throw new InvalidGitInput(`the file has only ${tooShort[1]} lines`);
    throw error;
  }
}

/** Each line of the file stands behind a tab, after a header that starts with its commit. */
function parseGroups(output: string): { sha: string; lines: string[] }[] {
  const groups: { sha: string; lines: string[] }[] = [];
  let sha = '';
  for (const line of output.split('\n')) {
    if (line.startsWith('\t')) {
      const last = groups.at(-1);
      if (last?.sha === sha) last.lines.push(line.slice(1));
      else groups.push({ sha, lines: [line.slice(1)] });
      continue;
    }
    sha = /^([0-9a-f]{40}) \d+ \d+/.exec(line)?.[1] ?? sha;
  }
  return groups;
}
