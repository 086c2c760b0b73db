import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Overloaded } from '../core/values/errors.js';
import { isValidFilePath } from './file-paths.js';
import { InvalidGitInput } from './errors.js';
import { slotFor, type Repository } from './pools.js';
import { requireSha } from './object-ids.js';
import { RETRY_AFTER_SECONDS } from './process-slots.js';
import { startGit } from './start.js';
import { GitStream } from './stream.js';

export type ArchiveFormat = 'tar' | 'tar.gz' | 'tar.bz2' | 'zip';

export interface ArchiveRequest {
  /** A commit's full id. */
  sha: string;
  format: ArchiveFormat;
  /** The folder that all files of the archive lie in. */
  folder: string;
  /** Only this file or folder. */
  path?: string | undefined;
  /** Without these files and folders. */
  without?: readonly string[];
}

/**
 * git has no bzip2 support: it starts the system's `bzip2`, which ends with it. Its built-in gzip writes no timestamp.
 */
const SETTINGS = {
  'tar.tar.bz2.command': 'bzip2 -c',
  // Several would share the work in another way each time.
  'pack.threads': '1',
};

/** An archive as written by git. It fails if git writes nothing for `silenceMs` while the client is reading. */
class Archive extends GitStream {
  readonly #silence = setTimeout(() => this.destroy(new Overloaded(RETRY_AFTER_SECONDS)), this.slot.silenceMs);

  override push(chunk: Buffer | null): boolean {
    this.#silence.refresh();
    return super.push(chunk);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#silence);
    super._destroy(error, done);
  }
}

/** Paths mean themselves, but may be left out. */
function pathspecs({ path, without = [] }: ArchiveRequest): string[] {
  const bad = [...(path === undefined ? [] : [path]), ...without].find((one) => !isValidFilePath(one));
  if (bad !== undefined) throw new InvalidGitInput(`not a path of a file or folder: ${JSON.stringify(bad)}`);
  return [...(path === undefined ? [] : [`:(literal)${path}`]), ...without.map((one) => `:(exclude,literal)${one}`)];
}

/**
 * The files of a commit as an archive; identical bytes for the same commit and version of git. Resolves once its first
 * bytes are available. See {@link GitStream} for how it ends; destroy it if it is not read.
 * @throws Overloaded, ClientGone, InvalidGitInput for an invalid path, GitFailed if the path or bzip2 does not exist
 */
export async function openArchive(repository: Repository, request: ArchiveRequest): Promise<Readable> {
  const { sha, format, folder } = request;
  const args = ['archive', `--format=${format}`, `--prefix=${folder}/`, requireSha(sha), '--', ...pathspecs(request)];
  return openOutput(repository, args, 'archive');
}

/**
 * A bundle of all refs of a repository with their objects; identical bytes for the same refs, objects and version of
 * git. Resolves once its first bytes are available. Destroy it if it is not read.
 * @throws Overloaded, ClientGone, GitFailed "Refusing to create empty bundle" if there are no refs
 */
export const openBundle = (repository: Repository): Promise<Readable> =>
  openOutput(repository, ['bundle', 'create', '-q', '-', '--all'], 'bundle');

async function openOutput(repository: Repository, args: string[], what: string): Promise<Readable> {
  const slot = slotFor(repository, 'transfer');
  const release = await slot.pool.take(slot.owner, slot.signal);
  const child = await startGit(slot, args, {
    extras: { settings: SETTINGS, variables: { GIT_LITERAL_PATHSPECS: '0' } },
  }).catch((error: unknown) => {
    release();
    throw error;
  });
  const started = once(child, 'spawn');
  const archive = new Archive(slot, child, what, release);
  await Promise.all([started, once(archive, 'readable')]);
  return archive;
}
