import { CommitActionError, InvalidGitInput } from './errors.js';
import type { Repository } from './pools.js';
import { isValidFilePath } from './file-paths.js';
import { lastCommitFor } from './files.js';
import { identityLine, type Identity } from './identity.js';
import { requireSha } from './object-ids.js';
import { newObject, storeObjects, type NewObject } from './pack.js';
import { TreeDraft } from './tree-draft.js';
import type { DraftEntry } from './tree-object.js';

/** One change of a commit; delivery-resources.md section 6. */
export interface CommitAction {
  action: 'create' | 'update' | 'delete' | 'move' | 'chmod';
  file_path: string;
  /** Where a moved file was. */
  previous_path?: string | undefined;
  /** Of the whole file; a created file without it is empty, a moved one keeps its own. */
  content?: Buffer | undefined;
  /** Left out, a file keeps its mode and a new one is not executable. */
  execute_filemode?: boolean | undefined;
  /** The last commit of the file known to the caller; ignored for `create`. */
  last_commit_id?: string | undefined;
}

export interface NewCommit {
  /** The commit to build on (its full id); null makes a first commit. */
  baseSha: string | null;
  /** Stored as it is. */
  message: string;
  author: Identity;
  committer: Identity;
  at: Date;
  /** Done in order: a later one sees the files as the earlier ones left them. */
  actions: CommitAction[];
}

/**
 * Writes a commit and everything in it, and answers its ids. It moves no branch: pass the id to updateRefs, within two
 * weeks. Two processes (one for a first commit); calls on one repository do not disturb each other. Throws
 * CommitActionError for an action that doesn't fit the base, RevisionNotFound for an unknown base, InvalidGitInput.
 */
export async function writeCommit(repository: Repository, commit: NewCommit): Promise<{ sha: string; tree: string }> {
  if (commit.message.includes('\0')) throw new InvalidGitInput('a commit message cannot hold a NUL');
  if (commit.baseSha !== null) requireSha(commit.baseSha);
  const paths = commit.actions.flatMap(actionPaths);
  const draft = await TreeDraft.load(repository, commit.baseSha, paths);
  await checkLastCommits(repository, commit, draft);
  const blobs = commit.actions.flatMap((action) => applyAction(draft, action));
  const trees = await draft.trees();
  const tree = trees.at(-1)!.sha;
  const object = newObject('commit', Buffer.from(commitText(commit, tree)));
  await storeObjects(repository, [...blobs, ...trees, object]);
  return { sha: object.sha, tree };
}

function commitText({ baseSha, message, author, committer, at }: NewCommit, tree: string): string {
  const header = [
    `tree ${tree}`,
    ...(baseSha === null ? [] : [`parent ${baseSha}`]),
    `author ${identityLine(author, at)}`,
    `committer ${identityLine(committer, at)}`,
  ];
  return `${header.join('\n')}\n\n${message}`;
}

function actionPaths({ action, file_path, previous_path }: CommitAction): string[] {
  const paths = action === 'move' ? [previous_path ?? '', file_path] : [file_path];
  const bad = paths.find((path) => !isValidFilePath(path));
  if (bad !== undefined) throw new CommitActionError('invalid_path', bad);
  return paths;
}

/** The file an action starts from. */
function source({ action, file_path, previous_path }: CommitAction): string {
  return action === 'move' ? (previous_path ?? '') : file_path;
}

/** Compares with the base, so only for files that were there; the others are found missing when applied. */
async function checkLastCommits(repository: Repository, commit: NewCommit, draft: TreeDraft): Promise<void> {
  const { baseSha, actions } = commit;
  if (baseSha === null) return;
  const careful = actions.filter((action) => {
    return action.action !== 'create' && action.last_commit_id !== undefined && draft.entry(source(action));
  });
  // One after the other: there may be thousands.
  for (const action of careful) {
    const last = await lastCommitFor(repository, baseSha, source(action));
    if (last !== action.last_commit_id) throw new CommitActionError('file_changed', source(action));
  }
}

/** Changes the draft; answers the blobs that have to be stored for it. */
function applyAction(draft: TreeDraft, action: CommitAction): NewObject[] {
  const { file_path: path, content } = action;
  if (action.action === 'create') {
    requireFree(draft, path);
    return putFile(draft, path, { mode: '100644', sha: '' }, action, content ?? Buffer.alloc(0));
  }
  const before = action.action === 'delete' ? draft.removable(source(action)) : draft.file(source(action));
  if (!before) throw new CommitActionError('file_missing', source(action));
  switch (action.action) {
    case 'update':
      if (!content) throw new CommitActionError('content_missing', path);
      return putFile(draft, path, before, action, content);
    case 'delete':
      draft.remove(path);
      return [];
    case 'move':
      draft.remove(source(action));
      requireFree(draft, path);
      return putFile(draft, path, before, action, content);
    case 'chmod':
      return putFile(draft, path, before, { ...action, execute_filemode: action.execute_filemode ?? false }, undefined);
  }
}

function requireFree(draft: TreeDraft, path: string): void {
  if (!draft.isFree(path)) throw new CommitActionError('file_exists', path);
}

function putFile(
  draft: TreeDraft,
  path: string,
  before: DraftEntry,
  { execute_filemode }: CommitAction,
  content: Buffer | undefined,
): NewObject[] {
  const blob = content && newObject('blob', content);
  draft.put(path, { mode: getMode(before.mode, execute_filemode), sha: blob?.sha ?? before.sha });
  return blob ? [blob] : [];
}

/** A symbolic link stays one: it has no executable bit. */
function getMode(before: string, executable: boolean | undefined): string {
  if (executable === undefined || before === '120000') return before;
  return executable ? '100755' : '100644';
}
