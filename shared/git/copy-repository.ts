import { copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryOptions } from './environment.js';
import { InvalidGitInput, RepositoryMissing } from './errors.js';
import { isValidBranchName } from './ref-names.js';
import { createRepository, repositoryExists } from './repository.js';
import { runGit } from './run.js';
import { syncFolder } from './sync-folder.js';
import type { Repository } from './pools.js';
import { requireSha } from './object-ids.js';

/** Minutes that a large repository may take. */
const timeoutMs = 30 * 60_000;

/**
 * Copies branches and tags of a repository into a new one at `target`. Without `branch` it copies all of them: object
 * files are hard-linked, so that a copy costs almost no disk space; they never change, and deleting or repacking one
 * repository does not affect the other. With `branch` it copies only that one and the tags in its history, and no
 * further objects. Refs in `without` (full names) are skipped, even those too long for a file name.
 * Aborts with `signal`. Throws GitFailed if the source lacks the branch or an object, RepositoryMissing if it is not a
 * repository.
 */
export async function copyRepository(
  source: string,
  target: string,
  branch: string | null,
  without: readonly string[] = [],
  signal?: AbortSignal,
): Promise<void> {
  if (branch !== null && !isValidBranchName(branch))
    throw new InvalidGitInput(`not a branch name: ${JSON.stringify(branch)}`);
  if (!(await repositoryExists(source))) throw new RepositoryMissing(source);
  await createRepository(target, branch ?? 'main');
  if (branch === null) await linkObjects(join(source, 'objects'), join(target, 'objects'), signal);
  // A fetch first checks whether every wanted object and all objects it references exist. This verifies that the copy
  // is complete, and adds objects moved by a repack or a push while the files were being linked.
  const patterns = branch === null ? ['refs/heads/*', 'refs/tags/*'] : [`refs/heads/${branch}`];
  const args = [
    'fetch',
    '--quiet',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    // The process that reads the source starts without our settings, of which it needs these.
    `--upload-pack=git -c 'safe.directory=*' ${memoryOptions} upload-pack`,
    ...(branch === null ? ['--no-tags'] : []),
    '--stdin',
    '--',
    source,
  ];
  const specs = [...patterns.map((ref) => `+${ref}:${ref}`), ...without.map((ref) => `^${ref}`)];
  await runGit(target, args, { timeoutMs, input: `${specs.join('\n')}\n`, ...(signal && { signal }) });
}

/** Pack files before their index: git sees a pack by its index. */
const linkOrder = (one: string, other: string) => Number(one.endsWith('.idx')) - Number(other.endsWith('.idx'));

/** Files that are whole: git writes others under names that begin with `tmp_`, and renames them. */
const isObjectFile = (name: string) =>
  /^[0-9a-f]{38}$/.test(name) || /^pack-[0-9a-f]{40}\.(pack|idx|rev|mtimes)$/.test(name);

async function linkObjects(source: string, target: string, signal?: AbortSignal): Promise<void> {
  const folders = (await readdir(source)).filter((name) => name === 'pack' || /^[0-9a-f]{2}$/.test(name));
  for (const folder of folders) {
    signal?.throwIfAborted();
    const names = await readdir(join(source, folder)).catch(ignoreMissing);
    const files = (names ?? []).filter(isObjectFile).sort(linkOrder);
    if (files.length === 0) continue;
    await mkdir(join(target, folder), { recursive: true });
    for (const file of files) await linkFile(join(source, folder, file), join(target, folder, file));
    await syncFolder(join(target, folder));
  }
  await syncFolder(target);
}

/** What was repacked meanwhile is skipped; on another disk, or after too many links, the bytes are copied. */
async function linkFile(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EXDEV' || code === 'EMLINK' || code === 'EPERM' || code === 'ENOTSUP')
      await copyFile(source, target).catch(ignoreMissing);
    // A file of this name holds the same objects.
    else if (code !== 'EEXIST') ignoreMissing(error);
  }
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

/**
 * Fetches a commit (full id) with all objects it references from the repository at path `source`. It moves no ref:
 * create one for the commit within two weeks. Throws GitFailed if the source lacks it.
 */
export async function fetchCommit(repository: Repository, source: string, sha: string): Promise<void> {
  const args = [
    'fetch',
    '--quiet',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--no-tags',
    // The process that reads the source starts without our settings, of which it needs these.
    `--upload-pack=git -c 'safe.directory=*' -c uploadpack.allowAnySHA1InWant=true ${memoryOptions} upload-pack`,
    '--',
    source,
    requireSha(sha),
  ];
  await runGit(repository, args, { pool: 'write', timeoutMs: 120_000 });
}
