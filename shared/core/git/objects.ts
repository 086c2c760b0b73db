import { GitFailed } from './errors.js';
import { runGit, runGitText } from './run.js';

export type ObjectType = 'commit' | 'tag' | 'tree' | 'blob';

export interface GitObject {
  sha: string;
  type: ObjectType;
  content: Buffer;
}

const header = /^([0-9a-f]{40}) (commit|tag|tree|blob) (\d+)$/;

/**
 * Reads whole objects in one process, in the order of `names` (ids, `<sha>^{tree}`, `<sha>:folder/`);
 * null where there is none. For small objects: everything is held in memory.
 */
export async function readObjects(repository: string, names: string[]): Promise<(GitObject | null)[]> {
  if (names.length === 0) return [];
  const { stdout } = await runGit(repository, ['cat-file', '--batch'], { input: lines(names) });
  const objects: (GitObject | null)[] = [];
  let offset = 0;
  while (offset < stdout.length) {
    const end = stdout.indexOf(10, offset);
    const match = header.exec(stdout.toString('utf8', offset, end));
    offset = end + 1;
    if (!match) {
      objects.push(null);
      continue;
    }
    const size = Number(match[3]);
    objects.push({ sha: match[1]!, type: match[2] as ObjectType, content: stdout.subarray(offset, offset + size) });
    offset += size + 1;
  }
  if (objects.length !== names.length) throw new GitFailed('cat-file', 0, 'fewer answers than names');
  return objects;
}

/** The commits that these names (ids, refs, expressions) lead to through tags, in their order; null where there is none. */
export async function peelToCommits(repository: string, names: string[]): Promise<(string | null)[]> {
  if (names.length === 0) return [];
  const input = lines(names.map((name) => `${name}^{commit}`));
  const text = await runGitText(repository, ['cat-file', '--batch-check'], { input });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => header.exec(line)?.[1] ?? null);
}

function lines(names: string[]): string {
  // A line break would ask for two objects and shift every answer after it.
  if (names.some((name) => /[\n\0]/.test(name))) throw new GitFailed('cat-file', null, 'a name with a line break');
  return `${names.join('\n')}\n`;
}
