import { GitFailed, GitOutputTooLarge, InvalidGitInput, RefConflict, type RefConflictReason } from './errors.js';
import type { Repository } from './pools.js';
import { isSha, requireSha, zeroSha } from './object-ids.js';
import { peelToCommits, type ObjectType } from './objects.js';
import { eachRecord } from './output-records.js';
import { isOtherRefName, isValidRefName } from './ref-names.js';
import { defaultMaxBytes, runGit, scanGit, type ScanOptions } from './run.js';

export interface Ref {
  /** Full: `refs/heads/main`. */
  name: string;
  /** The object the ref holds; for an annotated tag the tag object. */
  sha: string;
  type: ObjectType;
  /** The commit it points to, or null if it points to another type of object. */
  target: string | null;
  /** When the commit was committed or the annotated tag made. */
  created_at: Date | null;
}

export interface RefFilter {
  /** Only below these: `refs/heads`, `refs/tags`. */
  prefixes?: string[];
  /** Only these full names. */
  names?: string[];
  /** So many at most, the first by name. */
  most?: number;
}

const format = '%(refname)%00%(objectname)%00%(objecttype)%00%(*objectname)%00%(*objecttype)%00%(creatordate:unix)';

/** The refs of a repository sorted by name: all, or those matching the filter. One process. */
export async function listRefs(repository: Repository, filter: RefFilter = {}): Promise<Ref[]> {
  const patterns = [...(filter.prefixes ?? []), ...(filter.names ?? [])];
  if (patterns.length === 0 && (filter.prefixes || filter.names)) return [];
  // Also keeps out wildcards and options: no valid name has either.
  const bad = patterns.find((pattern) => !isValidRefName(pattern) || !pattern.startsWith('refs/'));
  if (bad !== undefined) throw new InvalidGitInput(`not a full ref name: ${JSON.stringify(bad)}`);
  const count = filter.most === undefined ? [] : [`--count=${filter.most}`];
  const args = ['for-each-ref', ...count, `--format=${format}`, '--', ...patterns];
  const refs: Ref[] = [];
  // Each name is a look-up; a prefix may match any number of refs, each with an object to read.
  const pool = filter.names && !filter.prefixes ? 'short' : 'long';
  await eachLine(repository, args, { pool }, (line) => {
    refs.push(parseRef(line));
  });
  await peelNestedTags(repository, refs);
  return filter.names && !filter.prefixes ? refs.filter((ref) => filter.names!.includes(ref.name)) : refs;
}

/** Where refs are that are neither branches nor tags, nor the service's own: `refs/notes`. */
async function otherNamespaces(repository: Repository): Promise<string[]> {
  const found = new Set<string>();
  // Names only: most of them may be keep-around refs, whose commits need not be read.
  await eachLine(repository, ['for-each-ref', '--format=%(refname)'], { pool: 'long' }, (name) => {
    if (name.startsWith('refs/heads/') || name.startsWith('refs/tags/')) return;
    const namespace = name.split('/', 2).join('/');
    if (!found.has(namespace) && isOtherRefName(name)) found.add(namespace);
  });
  return [...found];
}

/**
 * Branches, tags, and what else was pushed: all refs but the service's own, of which there may be many more. At most
 * `most` branches and tags, and as many others.
 */
export async function indexableRefs(repository: Repository, most?: number): Promise<Ref[]> {
  const limit = most === undefined ? {} : { most };
  const [refs, namespaces] = await Promise.all([
    listRefs(repository, { prefixes: ['refs/heads', 'refs/tags'], ...limit }),
    otherNamespaces(repository),
  ]);
  return [...refs, ...(await listRefs(repository, { prefixes: namespaces, ...limit }))];
}

function parseRef(line: string): Ref {
  const [name = '', sha = '', type = '', peeled = '', peeledType = '', date = ''] = line.split('\0');
  const target = type === 'commit' ? sha : peeledType === 'commit' ? peeled : null;
  const created_at = date === '' ? null : new Date(Number(date) * 1000);
  return { name, sha, type: type as ObjectType, target, created_at };
}

/** Before git 2.45, for-each-ref peels one tag only; tags of tags are rare and resolved separately. */
async function peelNestedTags(repository: Repository, refs: Ref[]): Promise<void> {
  const nested = refs.filter((ref) => ref.type === 'tag' && ref.target === null);
  const commits = await peelToCommits(
    repository,
    nested.map((ref) => ref.sha),
  );
  nested.forEach((ref, index) => {
    ref.target = commits[index] ?? null;
  });
}

/**
 * Full names of the branches and tags whose history contains a commit (full id), `atMost` of them; empty for an unknown
 * commit.
 */
export async function commitRefs(
  repository: Repository,
  sha: string,
  type: 'branch' | 'tag' | 'all',
  atMost = Infinity,
): Promise<string[]> {
  const prefixes = { branch: ['refs/heads'], tag: ['refs/tags'], all: ['refs/heads', 'refs/tags'] }[type];
  const args = ['for-each-ref', `--contains=${requireSha(sha)}`, '--format=%(refname)', '--', ...prefixes];
  return getNames(repository, args, atMost);
}

/** Full names of the branches, all or those in `names`, whose head is in the history of a commit (full id). */
export async function mergedBranches(
  repository: Repository,
  sha: string,
  names: string[] = ['refs/heads'],
): Promise<string[]> {
  const bad = names.find((name) => !isValidRefName(name));
  if (bad !== undefined) throw new InvalidGitInput(`not a full ref name: ${JSON.stringify(bad)}`);
  if (names.length === 0) return [];
  const args = ['for-each-ref', `--merged=${requireSha(sha)}`, '--format=%(refname)', '--', ...names];
  return getNames(repository, args, Infinity);
}

async function getNames(repository: Repository, args: string[], atMost: number): Promise<string[]> {
  const names: string[] = [];
  try {
    await eachLine(repository, args, { pool: 'long' }, (line) => names.push(line) >= atMost);
    return names;
  } catch (error) {
    if (error instanceof GitFailed && /no such commit|malformed object name/.test(error.stderr)) return [];
    throw error;
  }
}

const newline = 0x0a;
/** Names that git can store are shorter. */
const longestLine = 16 * 1024;

/** Reads lines as they come: there may be a million refs. Throws GitOutputTooLarge for more than 64 MiB of them. */
async function eachLine(
  repository: Repository,
  args: string[],
  options: ScanOptions,
  take: (line: string) => boolean | void,
): Promise<void> {
  let size = 0;
  const lines = eachRecord(newline, longestLine, (line) => {
    size += line.length;
    if (size > defaultMaxBytes) throw new GitOutputTooLarge('for-each-ref', defaultMaxBytes);
    return take(line.toString('utf8'));
  });
  await scanGit(repository, args, lines, options);
}

export interface RefUpdate {
  /** Full name. */
  ref: string;
  /** What it must be now: an id, null for "must not exist"; left out, anything. */
  old?: string | null | undefined;
  /** What it becomes; null deletes it. */
  new: string | null;
}

/**
 * Creates, moves and deletes refs, all of them or none. Throws RefConflict if a ref differs from its `old` value or
 * cannot exist next to another one (git does not turn `a` into `a/b` in one step), InvalidGitInput for invalid names,
 * ids without an object, and branches that do not point to a commit.
 */
export async function updateRefs(repository: Repository, updates: RefUpdate[]): Promise<void> {
  if (updates.length === 0) return;
  updates.forEach(checkUpdate);
  if (new Set(updates.map((update) => update.ref)).size !== updates.length) {
    throw new InvalidGitInput('one ref is updated twice');
  }
  const input = updates.map(updateCommand).join('');
  const args = ['update-ref', '--no-deref', '--stdin', '-z'];
  const { exitCode, stderr } = await runGit(repository, args, { input, exitCodes: [0, 1, 128], pool: 'write' });
  if (exitCode !== 0) throw updateError(stderr, exitCode);
}

function checkUpdate(update: RefUpdate): void {
  if (!update.ref.startsWith('refs/') || !isValidRefName(update.ref)) {
    throw new InvalidGitInput(`not a full ref name: ${JSON.stringify(update.ref)}`);
  }
  for (const sha of [update.old, update.new]) {
    if (typeof sha === 'string' && (!isSha(sha) || sha === zeroSha)) requireSha(`bad ${sha}`);
  }
  if (update.new === null && update.old === null) throw new InvalidGitInput('a ref that must not exist is deleted');
}

function updateCommand(update: RefUpdate): string {
  const old = update.old === null ? zeroSha : (update.old ?? '');
  return update.new === null ? `delete ${update.ref}\0${old}\0` : `update ${update.ref}\0${update.new}\0${old}\0`;
}

const reasons: [RegExp, RefConflictReason][] = [
  [/is at [0-9a-f]+ but expected/, 'moved'],
  [/reference already exists/, 'exists'],
  [/unable to resolve reference|reference is missing/, 'missing'],
  [/cannot create|at the same time|non-empty directory/, 'name_conflict'],
  [/\.lock': File exists/, 'locked'],
];

function updateError(stderr: string, exitCode: number): Error {
  const ref = /(?:cannot lock ref|cannot process) '([^']+)'/.exec(stderr)?.[1] ?? '';
  const reason = reasons.find(([pattern]) => pattern.test(stderr))?.[1];
  if (reason) return new RefConflict(ref, reason, stderr.trim().slice(0, 500));
  if (/nonexistent object|non-commit object/.test(stderr)) return new InvalidGitInput(stderr.trim().slice(0, 500));
  return new GitFailed('update-ref', exitCode, stderr);
}
