import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InvalidGitInput } from './errors.js';
import type { Repository } from './pools.js';
import { isValidBranchName } from './ref-names.js';
import { runGit, runGitText } from './run.js';

const config = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';
const folders = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'];

/**
 * The path of a project's repository below `root`: `@hashed/ab/cd/<sha256>.git`. Derived from the id, so that renaming
 * a project does not move it, and spread over folders, so that none grows too large.
 */
export function repositoryPath(root: string, projectId: string | number | bigint): string {
  const digest = createHash('sha256').update(String(projectId)).digest('hex');
  return join(root, '@hashed', digest.slice(0, 2), digest.slice(2, 4), `${digest}.git`);
}

/**
 * Creates an empty bare repository whose HEAD is `defaultBranch`; does nothing if it already exists. It appears
 * completely or not at all, even if several callers create it at the same time. Throws InvalidGitInput.
 */
export async function createRepository(repository: string, defaultBranch: string): Promise<void> {
  const head = headFile(defaultBranch);
  if (await repositoryExists(repository)) return;
  const draft = `${repository}.new-${randomUUID()}`;
  try {
    // The few files that git requires, without the process and the sample hooks of `git init`.
    await Promise.all(folders.map((folder) => mkdir(join(draft, folder), { recursive: true })));
    await Promise.all([
      writeFile(join(draft, 'HEAD'), head, { flush: true }),
      writeFile(join(draft, 'config'), config, { flush: true }),
    ]);
    await rename(draft, repository);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const lostRace = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (!lostRace || !(await repositoryExists(repository))) throw error;
  }
}

function headFile(branch: string): string {
  if (!isValidBranchName(branch)) throw new InvalidGitInput(`not a branch name: ${JSON.stringify(branch)}`);
  return `ref: refs/heads/${branch}\n`;
}

/** Whether there is a repository at this path. */
export async function repositoryExists(repository: string): Promise<boolean> {
  return access(join(repository, 'HEAD')).then(
    () => true,
    () => false,
  );
}

/** Removes a repository; nothing happens where there is none. Readers find it gone at once, not half empty. */
export async function removeRepository(repository: string): Promise<void> {
  const doomed = join(dirname(repository), `.removed-${randomUUID()}`);
  try {
    await rename(repository, doomed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await rm(doomed, { recursive: true, force: true });
}

/** The branch that HEAD names, which need not exist yet; null where HEAD is no branch. */
export async function defaultBranch(repository: string): Promise<string | null> {
  const args = ['symbolic-ref', '--quiet', 'HEAD'];
  const { stdout, exitCode } = await runGit(repository, args, { exitCodes: [0, 1] });
  const ref = stdout.toString('utf8').trim();
  return exitCode === 0 && ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null;
}

/** Points HEAD at a branch, which need not exist yet; starts no process if it already does. Throws InvalidGitInput. */
export async function setDefaultBranch(repository: Repository, branch: string): Promise<void> {
  const content = headFile(branch);
  // git renames a complete file into place, so a partial one is never read. If it is missing, git reports the error.
  const path = typeof repository === 'string' ? repository : repository.path;
  const head = await readFile(join(path, 'HEAD'), 'utf8').catch(() => null);
  if (head === content) return;
  await runGit(repository, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`], { pool: 'write' });
}

// Own pattern: keys in git's output.
/** Bytes on disk of everything the repository stores; 0 for an empty one. */
export async function repositorySize(repository: string): Promise<number> {
  const text = await runGitText(repository, ['count-objects', '-v']);
  const kib = (key: string): number => Number(new RegExp(`^${key}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return (kib('size') + kib('size-pack') + kib('size-garbage')) * 1024;
}

/**
 * Whether all objects that the refs of a repository reach exist; contents are not read.
 * @returns git's list of missing objects, cut; null when complete
 * @throws RepositoryMissing, GitMissing, GitTimeout
 */
export async function missingObjects(path: string, timeoutMs: number): Promise<string | null> {
  const { exitCode, stdout, stderr } = await runGit(
    path,
    ['fsck', '--connectivity-only', '--no-dangling', '--no-progress'],
    {
      timeoutMs,
      exitCodes: Array.from({ length: 129 }, (_, code) => code),
      maxBytes: 4096,
      cutOutput: true,
    },
  );
  if (exitCode === 0) return null;
  return `${stdout.toString('utf8')}${stderr}`.trim().split('\n', 1)[0]?.slice(0, 200) || `exit code ${exitCode}`;
}
