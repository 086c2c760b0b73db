import { InvalidGitInput, RefConflict, type RefConflictReason, GitFailed } from './errors.js';
import { isSha, requireSha, zeroSha } from './object-ids.js';
import { peelToCommits, type ObjectType } from './objects.js';
import { isValidRefName } from './ref-names.js';
import { runGit, runGitText } from './run.js';

export interface Ref {
  /** Full: `refs/heads/main`. */
  name: string;
  /** The object the ref holds; for an annotated tag the tag object. */
  sha: string;
  type: ObjectType;
  /** The commit it leads to, or null where it leads to something else. */
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

/** The refs of a repository in order of name, all of them or those of the filter. One process. */
export async function listRefs(repository: string, filter: RefFilter = {}): Promise<Ref[]> {
  const patterns = [...(filter.prefixes ?? []), ...(filter.names ?? [])];
  if (patterns.length === 0 && (filter.prefixes || filter.names)) return [];
  // Also keeps out wildcards and options: no valid name has either.
  const bad = patterns.find((pattern) => !isValidRefName(pattern) || !pattern.startsWith('refs/'));
  if (bad !== undefined) throw new InvalidGitInput(`not a full ref name: ${JSON.stringify(bad)}`);
  const count = filter.most === undefined ? [] : [`--count=${filter.most}`];
  const text = await runGitText(repository, ['for-each-ref', ...count, `--format=${format}`, '--', ...patterns]);
  const refs = text.split('\n').filter(Boolean).map(parseRef);
  await peelNestedTags(repository, refs);
  return filter.names && !filter.prefixes ? refs.filter((ref) => filter.names!.includes(ref.name)) : refs;
}

function parseRef(line: string): Ref {
  const [name = '', sha = '', type = '', peeled = '', peeledType = '', date = ''] = line.split('\0');
  const target = type === 'commit' ? sha : peeledType === 'commit' ? peeled : null;
  const created_at = date === '' ? null : new Date(Number(date) * 1000);
  return { name, sha, type: type as ObjectType, target, created_at };
}

/** for-each-ref looks through one tag only before git 2.45; a tag of a tag is rare and asked for separately. */
async function peelNestedTags(repository: string, refs: Ref[]): Promise<void> {
  const nested = refs.filter((ref) => ref.type === 'tag' && ref.target === null);
  const commits = await peelToCommits(
    repository,
    nested.map((ref) => ref.sha),
  );
  nested.forEach((ref, index) => {
    ref.target = commits[index] ?? null;
  });
}

/** Full names of the branches and tags whose history contains a commit (full id); none for an unknown commit. */
export async function commitRefs(repository: string, sha: string, type: 'branch' | 'tag' | 'all'): Promise<string[]> {
  const prefixes = { branch: ['refs/heads'], tag: ['refs/tags'], all: ['refs/heads', 'refs/tags'] }[type];
  const args = ['for-each-ref', `--contains=${requireSha(sha)}`, '--format=%(refname)', '--', ...prefixes];
  return nameLines(repository, args);
}

/** Full names of the branches whose head lies in the history of a commit (full id). */
export async function mergedBranches(repository: string, sha: string): Promise<string[]> {
  return nameLines(repository, [
    'for-each-ref',
    `--merged=${requireSha(sha)}`,
    '--format=%(refname)',
    '--',
    'refs/heads',
  ]);
}

async function nameLines(repository: string, args: string[]): Promise<string[]> {
  try {
    return (await runGitText(repository, args)).split('\n').filter(Boolean);
  } catch (error) {
    if (error instanceof GitFailed && /no such commit|malformed object name/.test(error.stderr)) return [];
    throw error;
  }
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
 * Creates, moves and deletes refs, all of them or none. Throws RefConflict where a ref is not what `old` says or can't
 * exist beside another one (git does not turn `a` into `a/b` in one step), InvalidGitInput for bad names, ids that are no object, and branches that are no commit.
 */
export async function updateRefs(repository: string, updates: RefUpdate[]): Promise<void> {
  if (updates.length === 0) return;
  updates.forEach(checkUpdate);
  if (new Set(updates.map((update) => update.ref)).size !== updates.length) {
    throw new InvalidGitInput('one ref is updated twice');
  }
  const input = updates.map(updateCommand).join('');
  const args = ['update-ref', '--no-deref', '--stdin', '-z'];
  const { exitCode, stderr } = await runGit(repository, args, { input, exitCodes: [0, 1, 128] });
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
