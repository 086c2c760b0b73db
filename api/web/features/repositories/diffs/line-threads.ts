import type { ReactNode } from 'react';
import type { FileDiff } from '../../../data/api.js';
import type { DiffLine } from './lines.js';

/** What is said of a diff, where it is drawn with that. */
export interface DiffThreads {
  /** What stands above the lines of a file; null for nothing. */
  above: (file: FileDiff) => ReactNode;
  /** What stands below a line; null for nothing. */
  below: (file: FileDiff, line: DiffLine) => ReactNode;
  /** What stands in place of the lines of a file that has none; null for nothing. */
  inside: (file: FileDiff) => ReactNode;
  /** Begins a comment on a file. */
  beginFile: (file: FileDiff) => void;
  /** Begins a comment on a line. */
  begin: (file: FileDiff, line: DiffLine) => void;
}

/** Whether something can be said of a line: it stands in the file before or after. */
export const isOfFile = ({ kind }: DiffLine): boolean => kind === 'same' || kind === 'added' || kind === 'removed';

/** How people name a line: `removed line 4`. */
export function formatLine({ kind, before, after }: Pick<DiffLine, 'kind' | 'before' | 'after'>): string {
  const number = after ?? before;
  return kind === 'same' ? `line ${number}` : `${kind} line ${number}`;
}

/** Names a file within a page. */
export const fileKey = ({ new_path: path }: FileDiff): string => `${path}\nfile`;

/** Names a line of a file within a page. */
export const lineKey = ({ new_path: path }: FileDiff, { before, after }: DiffLine): string =>
  `${path}\n${before ?? ''}:${after ?? ''}`;
