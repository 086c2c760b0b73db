import { Invalid } from '../../core/values/errors.js';
import { list, object, oneOf, optional, presentText, text } from '../../core/operations/fields.js';
import { isValidFilePath } from '../../git/index.js';
import type { CommitAction } from '../../git/index.js';

/** Files that a snippet may have. */
export const MOST_FILES = 10;
/** The file name of a snippet that was created without one. */
const FIRST_FILE = 'snippetfile1.txt';

/** Refusals of snippets have one form (core-resources.md section 8). */
export const snippetProblem = (message: string): Invalid => new Invalid({ error: message });

/** The files that a snippet is made with. */
export const newFiles = optional(
  list(
    object({
      file_path: presentText().describe('Path of the file.'),
      content: presentText().describe('Content of the file.'),
    }),
  ),
)
  .describe('Files of the snippet, at most ten.')
  .meta({ examples: [[{ file_path: 'fight.rb', content: 'puts 1\n' }]] });

const ACTIONS = ['create', 'update', 'delete', 'move'] as const;

/** The file changes of a snippet edit. */
export const fileChanges = optional(
  list(
    object({
      action: oneOf(ACTIONS).describe('Action to perform on the file.'),
      file_path: optional(text()).describe('Path of the file; the new path of a moved file.'),
      previous_path: optional(text()).describe('Previous path of a moved file.'),
      content: optional(text()).describe('New content of the file.'),
    }),
  ),
).describe('Changes to the files of the snippet, in order.');

export interface FileChange {
  action: (typeof ACTIONS)[number];
  file_path?: string | undefined;
  previous_path?: string | undefined;
  content?: string | undefined;
}

/** @throws Invalid for a path that leads outside of the snippet, or to what git keeps for itself */
function requirePath(path: string | undefined): string {
  if (path === undefined || !isValidFilePath(path)) throw snippetProblem('file_path should be a valid file path');
  return path;
}

/** @throws Invalid */
function requireNumber(files: readonly unknown[]): void {
  if (files.length > MOST_FILES) throw snippetProblem(`The files of a snippet are at most ${MOST_FILES}`);
}

interface NewFiles {
  file_name?: string | undefined;
  content?: string | undefined;
  files?: readonly { file_path: string; content: string }[] | undefined;
}

/** The commit that a snippet begins with. @throws Invalid */
export function firstActions({ file_name, content, files }: NewFiles): CommitAction[] {
  const entries = files ?? [{ file_path: file_name || FIRST_FILE, content: content ?? '' }];
  requireNumber(entries);
  if (entries.length === 0) throw snippetProblem("Files can't be blank");
  return entries.map(({ file_path, content: text }) => ({
    action: 'create',
    file_path: requirePath(file_path),
    content: Buffer.from(text),
  }));
}

const getAction = ({ action, file_path, previous_path, content }: FileChange): CommitAction => ({
  action,
  file_path: requirePath(file_path ?? previous_path),
  ...(action === 'move' ? { previous_path: requirePath(previous_path) } : {}),
  ...(content === undefined || action === 'delete' ? {} : { content: Buffer.from(content) }),
});

/** The actions on a snippet's only file for an edit by `content` and `file_name`. @throws Invalid */
function onlyFile(paths: readonly string[], { file_name, content }: NewFiles): CommitAction[] {
  const [path] = paths;
  if (paths.length > 1 || path === undefined)
    throw snippetProblem('To update Snippets with multiple files, you must use the `files` parameter');
  const moved = file_name !== undefined && file_name !== '' && file_name !== path;
  if (moved) return [getAction({ action: 'move', file_path: file_name, previous_path: path, content })];
  return content === undefined ? [] : [getAction({ action: 'update', file_path: path, content })];
}

/**
 * The commit actions that an edit of a snippet with these files results in; empty if the files do not change.
 * @throws Invalid, also if the snippet would exceed the maximum number of files or have none
 */
export function nextActions(
  paths: readonly string[],
  input: { file_name?: string | undefined; content?: string | undefined; files?: readonly FileChange[] | undefined },
): CommitAction[] {
  const { files, file_name, content } = input;
  const actions = files
    ? files.map(getAction)
    : file_name === undefined && content === undefined
      ? []
      : onlyFile(paths, { file_name, content });
  requireNumber(actions);
  const change = { create: 1, delete: -1, update: 0, move: 0, chmod: 0 };
  const left = actions.reduce((count, { action }) => count + change[action], paths.length);
  if (left > MOST_FILES) throw snippetProblem(`The files of a snippet are at most ${MOST_FILES}`);
  if (left === 0 && actions.length > 0) throw snippetProblem('A snippet has at least one file');
  return actions;
}
