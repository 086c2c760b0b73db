import type { NotePosition, DiscussionThread } from './threads.js';
import type { FileDiff } from '../../../data/api.js';
import type { DiffLine } from '../../repositories/diffs/index.js';

/** A thread on a diff. */
export interface DiffThread {
  thread: DiscussionThread;
  position: NotePosition;
}

/** The threads on the diff of a merge request, by position. */
interface DiffThreads {
  /** Threads on current lines. */
  current: readonly DiffThread[];
  /** Threads on lines that later commits changed. */
  outdated: readonly DiffThread[];
}

/** Threads on the current diff, or on an earlier one. Current positions reference the newest head. */
export function splitThreads(threads: readonly DiscussionThread[], headSha: string | null): DiffThreads {
  const diffThreads = threads.flatMap((thread) => {
    const position = thread.notes.nodes[0]?.position;
    return position ? [{ thread, position }] : [];
  });
  const isCurrent = ({ position }: DiffThread) => position.diffRefs.headSha === headSha;
  return { current: diffThreads.filter(isCurrent), outdated: diffThreads.filter((one) => !isCurrent(one)) };
}

const isOf =
  (file: FileDiff) =>
  ({ position: { newPath, oldPath } }: DiffThread): boolean =>
    newPath === file.new_path || (newPath === null && oldPath === file.old_path);

/** The threads of a file. */
export const threadsOfFile = (threads: readonly DiffThread[], file: FileDiff): DiffThread[] =>
  threads.filter(isOf(file));

/**
 * Whether a thread is on a line: an added line is identified by its number after the change, a removed line by its
 * number before.
 */
export const standsOn = ({ position: { newLine, oldLine } }: DiffThread, { before, after }: DiffLine): boolean =>
  newLine === null ? oldLine !== null && after === null && before === oldLine : after === newLine;
