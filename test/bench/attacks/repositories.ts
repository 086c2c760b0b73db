import { spawn } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { gitEnvironment } from '../../../shared/git/index.js';
import type { NewProject } from './ground.js';

const PERSON = 'Ann Example <ann@example.com>';
const AT = '1893456000 +0000';

/** Runs git on a project's repository, and answers what it writes. @throws unless it ends with 0 */
export async function git(
  { repository }: NewProject,
  args: readonly string[],
  input: string | Buffer | Iterable<string | Buffer> = '',
): Promise<string> {
  const person = { name: 'Ann Example', email: 'ann@example.com' };
  const env = {
    ...gitEnvironment(),
    GIT_AUTHOR_NAME: person.name,
    GIT_AUTHOR_EMAIL: person.email,
    GIT_COMMITTER_NAME: person.name,
    GIT_COMMITTER_EMAIL: person.email,
  };
  const child = spawn('git', [`--git-dir=${repository}`, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const whole = typeof input === 'string' || Buffer.isBuffer(input) ? [input] : input;
  await pipeline(Readable.from(whole), child.stdin).catch((error: NodeJS.ErrnoException) => {
    // A process that reads no input may have exited before; its exit code contains the result.
    if (error.code !== 'EPIPE') throw error;
  });
  const code = await exit;
  if (code !== 0) throw new Error(`git ${args[0]} ended with ${code}.`);
  return output.trim();
}

/** One piece of data for `git fast-import`. */
const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;

/** The head of a commit for `git fast-import`; its changes follow. */
export const commitLines = (branch: string, message: string) =>
  `commit refs/heads/${branch}\ncommitter ${PERSON} ${AT}\n${data(message)}`;

/** A file of a commit for `git fast-import`. */
export const fileLines = (path: string, text: string) => `M 100644 inline ${path}\n${data(text)}`;

/** Imports commits on branches that are new. @returns the head of one of them */
export async function fastImport(project: NewProject, lines: Iterable<string | Buffer>, branch: string) {
  await git(project, ['fast-import', '--quiet', '--force'], lines);
  return git(project, ['rev-parse', `refs/heads/${branch}`]);
}

/**
 * Commits one file under many paths: folders in folders, each with the same entries, so that few objects are many paths.
 * @returns the commit, which no branch points at
 */
export async function nestedTrees(
  project: NewProject,
  { entries, depth, content = 'small', parent }: { entries: number; depth: number; content?: string; parent?: string },
): Promise<string> {
  let entry = `100644 blob ${await git(project, ['hash-object', '-w', '--stdin'], `${content}\n`)}`;
  for (let level = 0; level < depth; level += 1) {
    const lines = Array.from({ length: entries }, (_, index) => `${entry}\te${index.toString(36).padStart(2, '0')}\n`);
    entry = `040000 tree ${await git(project, ['mktree'], lines.join(''))}`;
  }
  const parents = parent === undefined ? [] : ['-p', parent];
  return git(project, ['commit-tree', entry.slice(-40), ...parents, '-m', 'Many files']);
}
