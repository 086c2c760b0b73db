import { ApiProblem } from '../../../data/problem.js';
import type { SnippetEdit } from './changes.js';
import type { SnippetBlob } from './queries.js';

/** Files that a snippet may have. */
export const MOST_FILES = 10;

/** A file in the form of a snippet. */
export interface FormFile {
  key: number;
  /** The file as it is in the snippet; null for a new one. */
  before: SnippetBlob | null;
}

/** Names of the fields of a file. */
export const pathField = ({ key }: FormFile): string => `path_${key}`;
export const contentField = ({ key }: FormFile): string => `content_${key}`;

interface FileText {
  path: string;
  /** Null if it was not displayed for editing. */
  content: string | null;
}

/** Browsers send the ends of lines as two characters: files keep those that they had. */
function withEndsOf(before: string | null, text: string): string {
  const plain = text.replaceAll('\r\n', '\n');
  return before?.includes('\r\n') ? plain.replaceAll('\n', '\r\n') : plain;
}

function textIn(values: FormData, file: FormFile): FileText {
  const content = values.get(contentField(file));
  return {
    path: String(values.get(pathField(file)) ?? '').trim(),
    content: typeof content === 'string' ? withEndsOf(file.before?.rawPlainData ?? null, content) : null,
  };
}

/** Errors found before the form is submitted; null for none. */
export function problemIn(values: FormData, files: readonly FormFile[]): ApiProblem | null {
  const wrong: Record<string, string[]> = {};
  for (const file of files) {
    const { path, content } = textIn(values, file);
    if (path === '') wrong[pathField(file)] = ["can't be blank"];
    if (file.before === null && content?.trim() === '') wrong[contentField(file)] = ["can't be blank"];
  }
  return Object.keys(wrong).length === 0 ? null : new ApiProblem('Some files are incomplete.', 400, null, wrong);
}

/** The files of a new snippet. */
export const newFiles = (values: FormData, files: readonly FormFile[]) =>
  files.map((file) => {
    const { path, content } = textIn(values, file);
    return { file_path: path, content: content ?? '' };
  });

type Change = NonNullable<SnippetEdit['files']>[number];

/** The change to one file; null if it is unchanged. */
function getChange(values: FormData, file: FormFile): Change | null {
  const { path, content } = textIn(values, file);
  const { before } = file;
  if (before === null) return { action: 'create', file_path: path, content: content ?? '' };
  const changed = content === null || content === before.rawPlainData ? {} : { content };
  if (path !== before.path) return { action: 'move', file_path: path, previous_path: before.path, ...changed };
  return 'content' in changed ? { action: 'update', file_path: path, ...changed } : null;
}

/** The changes of an edit to a snippet's files: deletions come first, because other files may reuse their names. */
export function fileChanges(
  values: FormData,
  files: readonly FormFile[],
  before: readonly SnippetBlob[],
): readonly Change[] {
  const paths = new Set(files.map((file) => file.before?.path));
  const gone = before.filter(({ path }) => !paths.has(path));
  return [
    ...gone.map(({ path }): Change => ({ action: 'delete', file_path: path })),
    ...files.map((file) => getChange(values, file)).filter((change) => change !== null),
  ];
}
