import type { ReactNode } from 'react';
import type { FileDiff } from '../../../data/api.js';
import type { DiffLine } from './lines.js';

/** The comments on a diff, for views that display them. */
export interface DiffThreads {
  /** The content above the lines of a file; null for none. */
  above: (file: FileDiff) => ReactNode;
  /** The content below a line; null for none. */
  below: (file: FileDiff, line: DiffLine) => ReactNode;
  /** The content that replaces the lines of a file without lines; null for none. */
  inside: (file: FileDiff) => ReactNode;
  /** Begins a comment on a file. */
  beginFile: (file: FileDiff) => void;
  /** Begins a comment on a line. */
  begin: (file: FileDiff, line: DiffLine) => void;
}

/** Whether a line can be commented on: it exists in the file before or after the change. */
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
