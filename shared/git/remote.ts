import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { GitExtras } from './environment.js';
import { GitFailed, RemoteSilent, RemoteSlow, RemoteTooLarge, TooManyRefs } from './errors.js';
import { isSha } from './object-ids.js';
import { isValidRefName, mayComeIn } from './ref-names.js';
import { Relay } from './relay.js';
import type { RemoteAddress } from './relay.js';
import { createRepository } from './repository.js';
import { runGit, runGitText } from './run.js';

/** A remote repository. Request data beyond its URL is passed as settings, which other processes cannot read. */
export interface RemoteRepository {
  /** http, https or git, without name and password. */
  url: string;
  /** The only address to connect to, even if the URL's name resolves differently by then. */
  address: RemoteAddress;
  extras: GitExtras;
}

/** How long is waited for a repository elsewhere. */
export interface RemoteTimeouts {
  /** Milliseconds without a byte until it is aborted; {@link SILENCE_MS} by default. */
  silenceMs?: number | undefined;
  /**
   * Milliseconds at less than {@link LEAST_RATE} until it is aborted; {@link SLOW_MS} by default. Whole seconds over
   * http.
   */
  slowMs?: number | undefined;
  /** Ends it early. */
  signal?: AbortSignal | undefined;
}

export interface FetchLimits extends RemoteTimeouts {
  timeoutMs: number;
  /** Most bytes on disk; 0 is no limit. */
  maxBytes: number;
}

/** A server that is silent for a minute is considered unreachable, whatever its protocol. */
const SILENCE_MS = 60_000;
/**
 * Minimum average rate in bytes per second: even a modem, the slowest practical line for a clone, is four times as
 * fast, and a slower server holds one of its user's slots for the whole duration of a job.
 */
export const LEAST_RATE = 1000;
/** The period of that average: slower phases, while a server counts its objects, are harmless. */
const SLOW_MS = 60_000;
/** More than the largest known repositories have: each one costs a row, and a lock of its name. */
export const MOST_REFS = 50_000;
/** Of a list of refs; that many with names of the usual length take a tenth of it. */
const MOST_LIST_BYTES = 32 * 1024 * 1024;
/** The whole list, however steadily it comes. */
const LIST_TIMEOUT_MS = 5 * 60_000;

const SETTINGS = {
  // Only protocols that a user-supplied URL may use: no files, no commands.
  'protocol.allow': 'never',
  'protocol.http.allow': 'always',
  'protocol.https.allow': 'always',
  'protocol.git.allow': 'always',
  // The caller has to validate another address first.
  'http.followRedirects': 'false',
  // Nothing broken comes in but for slips of old programs, which many an old project has in its history.
  'fetch.fsckObjects': 'true',
  'fetch.fsck.badTimezone': 'ignore',
  'fetch.fsck.missingSpaceBeforeDate': 'ignore',
  'fetch.fsck.zeroPaddedFilemode': 'ignore',
};

/** The URL by which git gets to a repository through a relay at `port`, and with what. */
function through(port: number, { url, extras }: RemoteRepository, slowMs: number): { url: string; extras: GitExtras } {
  const settings = {
    ...SETTINGS,
    'http.lowSpeedLimit': String(LEAST_RATE),
    'http.lowSpeedTime': String(Math.ceil(slowMs / 1000)),
    ...extras.settings,
  };
  const { protocol, host, pathname } = new URL(url);
  if (protocol !== 'git:')
    return { url, extras: { ...extras, settings: { ...settings, 'http.proxy': `socks5h://127.0.0.1:${port}` } } };
  // The name that the server knows its repositories by.
  const variables = { ...extras.variables, GIT_OVERRIDE_VIRTUAL_HOST: host };
  return { url: `git://127.0.0.1:${port}${pathname}`, extras: { settings, variables } };
}

/** Corrupt data is reported as such, however long the remote has been silent by then. */
const isDamage = ({ stderr }: GitFailed) => /fsck error|bad object/i.test(stderr);

/** git's error for a server that it aborted over http for being too slow. */
const isSlow = (error: GitFailed) => /Operation too slow/i.test(error.stderr);

/** Runs git so that it can connect to one address only, and is not blocked by it. Throws RemoteSilent, RemoteSlow. */
async function reaching<T>(
  remote: RemoteRepository,
  { silenceMs = SILENCE_MS, slowMs = SLOW_MS }: RemoteTimeouts,
  work: (at: { url: string; extras: GitExtras }) => Promise<T>,
): Promise<T> {
  const direct = remote.url.startsWith('git:');
  // Over http git counts itself, and only while it waits for an answer.
  const leastBytes = direct ? (LEAST_RATE * slowMs) / 1000 : 0;
  const relay = new Relay(remote.address, direct ? 'direct' : 'socks', { silenceMs, slowMs, leastBytes });
  try {
    return await work(through(await relay.open(), remote, slowMs));
  } catch (error) {
    if (!(error instanceof GitFailed) || isDamage(error)) throw error;
    if (relay.silent) throw new RemoteSilent(silenceMs);
    throw relay.slow || isSlow(error) ? new RemoteSlow(slowMs) : error;
  } finally {
    await relay.close();
  }
}

/** A ref as listed by a remote: `refs/heads/main` and its object. */
export interface RemoteRef {
  name: string;
  sha: string;
}

/** The refs of a remote. */
export interface RemoteRefs {
  /** Branches and tags, except those with unacceptable names. */
  refs: RemoteRef[];
  /** Full names of those. */
  unfit: string[];
  /** Null if it has none, or HEAD is a commit. */
  defaultBranch: string | null;
}

const isBranchOrTag = (name: string) => /^refs\/(heads|tags)\//.test(name) && !name.endsWith('^{}');

/**
 * The branches and tags of a remote, and its default branch. Throws GitFailed, GitTimeout,
 * RemoteSilent, RemoteSlow, TooManyRefs.
 * Other refs that it has, `refs/remotes/origin/HEAD` say, are nothing to us.
 */
export async function askRemote(remote: RemoteRepository, timeouts: RemoteTimeouts = {}): Promise<RemoteRefs> {
  const text = await reaching(remote, timeouts, ({ url, extras }) => {
    const args = ['ls-remote', '--quiet', '--symref', '--', url, 'HEAD', 'refs/heads/*', 'refs/tags/*'];
    const { signal } = timeouts;
    return runGitText(null, args, {
      timeoutMs: LIST_TIMEOUT_MS,
      maxBytes: MOST_LIST_BYTES,
      extras,
      ...(signal && { signal }),
    });
  });
  const lines = text.split('\n').map((line) => line.split('\t'));
  const head = lines.find(([value, name]) => name === 'HEAD' && value?.startsWith('ref: refs/heads/'));
  // The patterns match the ends of names, and symbolic refs are listed twice.
  const all = lines.flatMap(([sha = '', name = '']) => (isSha(sha) && isBranchOrTag(name) ? [{ name, sha }] : []));
  if (all.length > MOST_REFS) throw new TooManyRefs(MOST_REFS);
  const refs = all.filter(({ name }) => mayComeIn(name));
  const unfit = all.filter(({ name }) => !mayComeIn(name)).map(({ name }) => name);
  return { refs, unfit, defaultBranch: head?.[0]?.slice('ref: refs/heads/'.length) ?? null };
}

/** Bytes of the files in a folder and below; what vanishes meanwhile counts nothing. */
async function getSize(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const found = await Promise.allSettled(names.map((name) => stat(join(folder, name))));
  const sizes = found.map((result) => (result.status === 'fulfilled' ? result.value.size : 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Between two polls, at least; and a look at a large folder is paid for by nine times as long without one. */
const POLL_MS = 500;
const REST = 9;

/** Polls repeatedly, one poll at a time, until aborted. */
async function keepLooking(poll: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const began = performance.now();
    await poll();
    const pause = Math.max(POLL_MS, (performance.now() - began) * REST);
    await setTimeout(pause, undefined, { signal }).catch(() => undefined);
  }
}

/** Fetches refs into a repository, within limits: `+refs/heads/*:refs/heads/*` names where they come from and go to. */
async function fetchRefs(
  repository: string,
  remote: RemoteRepository,
  specs: readonly string[],
  limits: FetchLimits,
): Promise<void> {
  const { timeoutMs, maxBytes, signal } = limits;
  const args = ['fetch', '--quiet', '--no-write-fetch-head', '--no-auto-maintenance', '--no-tags', '--stdin', '--'];
  const before = maxBytes > 0 ? await getSize(repository) : 0;
  const stop = new AbortController();
  const poll = async () => {
    if ((await getSize(repository)) - before > maxBytes) stop.abort(new RemoteTooLarge(maxBytes));
  };
  const watch = new AbortController();
  // git has no limit of its own for what it fetches, so the growing file is watched.
  if (maxBytes > 0) void keepLooking(poll, watch.signal);
  try {
    const input = specs.join('\n') + '\n';
    const ends = signal ? AbortSignal.any([stop.signal, signal]) : stop.signal;
    await reaching(remote, limits, ({ url, extras }) =>
      runGit(repository, [...args, url], { input, timeoutMs, extras, signal: ends }),
    );
    if (maxBytes > 0) await poll();
    stop.signal.throwIfAborted();
  } finally {
    watch.abort();
  }
}

/**
 * Copies the branches and tags of a remote into a new repository at `target`, but for some (full names).
 * Throws GitFailed where the remote does not answer or what it sends is damaged, GitTimeout, RemoteSilent, RemoteSlow,
 * RemoteTooLarge.
 */
export async function copyRemote(
  remote: RemoteRepository,
  target: string,
  limits: FetchLimits,
  without: readonly string[] = [],
): Promise<void> {
  await createRepository(target, 'main');
  // What no ref could be called git passes over by itself, and would not take as a pattern.
  const left = without.filter(isValidRefName).map((ref) => `^${ref}`);
  const specs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*', ...left];
  await fetchRefs(target, remote, specs, limits);
}

/** Where {@link fetchTracked} leaves what it fetched: `refs/heads/main` at `refs/remote/heads/main`. */
export const trackedName = (ref: string): string => ref.replace(/^refs\//, 'refs/remote/');

/**
 * Fetches some branches and tags of a remote (full names) in addition to the repository's own, which are unchanged.
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
