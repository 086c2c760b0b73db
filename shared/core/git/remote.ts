import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitExtras } from './environment.js';
import { RemoteTooLarge } from './errors.js';
import { createRepository } from './repository.js';
import { runGit, runGitText } from './run.js';

/** A repository elsewhere. What it is asked with beyond its URL comes as settings, which nobody else can read. */
export interface RemoteRepository {
  /** Without name and password. */
  url: string;
  extras: GitExtras;
}

export interface FetchLimits {
  timeoutMs: number;
  /** Most bytes on disk; 0 is no limit. */
  maxBytes: number;
}

const SETTINGS = {
  // Only what a URL of the caller's choice may start: no file, no command.
  'protocol.allow': 'never',
  'protocol.http.allow': 'always',
  'protocol.https.allow': 'always',
  'protocol.git.allow': 'always',
  // Another place is for the caller to look at first.
  'http.followRedirects': 'false',
  // A server that says next to nothing for a minute is given up.
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '60',
  // Nothing broken comes in but for slips of old programs, which many an old project has in its history.
  'fetch.fsckObjects': 'true',
  'fetch.fsck.badTimezone': 'ignore',
  'fetch.fsck.missingSpaceBeforeDate': 'ignore',
  'fetch.fsck.zeroPaddedFilemode': 'ignore',
};

const askedWith = ({ extras }: RemoteRepository): GitExtras => ({
  settings: { ...SETTINGS, ...extras.settings },
  variables: { ...extras.variables },
});

/** A ref as a remote tells it: `refs/heads/main` and the object that it holds. */
export interface RemoteRef {
  name: string;
  sha: string;
}

/** The branches and tags of a remote, and its default branch, null where it has none or HEAD is a commit. Throws GitFailed. */
export async function askRemote(
  remote: RemoteRepository,
): Promise<{ refs: RemoteRef[]; defaultBranch: string | null }> {
  const args = ['ls-remote', '--quiet', '--symref', '--', remote.url, 'HEAD', 'refs/heads/*', 'refs/tags/*'];
  const text = await runGitText(null, args, { timeoutMs: 60_000, extras: askedWith(remote) });
  const lines = text.split('\n').map((line) => line.split('\t'));
  const head = lines.find(([value, name]) => name === 'HEAD' && value?.startsWith('ref: refs/heads/'));
  const refs = lines.flatMap(([sha = '', name = '']) =>
    name.startsWith('refs/') && !name.endsWith('^{}') ? [{ name, sha }] : [],
  );
  return { refs, defaultBranch: head?.[0]?.slice('ref: refs/heads/'.length) ?? null };
}

/** Bytes of the files in a folder and below; what vanishes meanwhile counts nothing. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const found = await Promise.allSettled(names.map((name) => stat(join(folder, name))));
  const sizes = found.map((result) => (result.status === 'fulfilled' ? result.value.size : 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Fetches refs into a repository, within limits: `+refs/heads/*:refs/heads/*` names where they come from and go to. */
async function fetchRefs(
  repository: string,
  remote: RemoteRepository,
  specs: readonly string[],
  { timeoutMs, maxBytes }: FetchLimits,
): Promise<void> {
  const args = ['fetch', '--quiet', '--no-write-fetch-head', '--no-auto-maintenance', '--no-tags', '--stdin', '--'];
  const before = maxBytes > 0 ? await sizeOf(repository) : 0;
  const stop = new AbortController();
  const look = async () => {
    if ((await sizeOf(repository)) - before > maxBytes) stop.abort(new RemoteTooLarge(maxBytes));
  };
  // git has no limit of its own for what it fetches, so the growing file is watched.
  const timer = maxBytes > 0 ? setInterval(() => void look(), 500) : undefined;
  try {
    const input = specs.join('\n') + '\n';
    await runGit(repository, [...args, remote.url], {
      input,
      timeoutMs,
      extras: askedWith(remote),
      signal: stop.signal,
    });
    if (maxBytes > 0) await look();
    stop.signal.throwIfAborted();
  } finally {
    clearInterval(timer);
  }
}

/**
 * Copies the branches and tags of a remote into a new repository at `target`.
 * Throws GitFailed where the remote does not answer or what it sends is damaged, GitTimeout, RemoteTooLarge.
 */
export async function copyRemote(remote: RemoteRepository, target: string, limits: FetchLimits): Promise<void> {
  await createRepository(target, 'main');
  await fetchRefs(target, remote, ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'], limits);
}

/** Where {@link fetchTracked} leaves what it fetched: `refs/heads/main` at `refs/remote/heads/main`. */
export const trackedName = (ref: string): string => ref.replace(/^refs\//, 'refs/remote/');

/**
 * Fetches some branches and tags of a remote (full names) beside the repository's own, which stay as they are.
 * Throws as {@link copyRemote} does.
 */
export async function fetchTracked(
  repository: string,
  remote: RemoteRepository,
  refs: readonly string[],
  limits: FetchLimits,
): Promise<void> {
  const specs = refs.map((ref) => `+${ref}:${trackedName(ref)}`);
  await fetchRefs(repository, remote, specs, limits);
}
