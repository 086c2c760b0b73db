import type { NotePosition, DiscussionThread } from './threads.js';
import type { FileDiff } from '../../../data/api.js';
import type { DiffLine } from '../../repositories/diffs/index.js';

/** A thread that stands on a diff. */
export interface DiffThread {
  thread: DiscussionThread;
  position: NotePosition;
}

/** The threads of a merge request that stand on its diff, by where that is. */
interface DiffThreads {
  /** Those of lines as they are now. */
  current: readonly DiffThread[];
  /** Those of lines that later commits changed. */
  outdated: readonly DiffThread[];
}

/** Threads that stand on a diff: now, or on an earlier one. Positions that are still true name the newest head. */
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

/** Whether a thread stands on a line: an added one is named by its number after, a removed one by that before. */
export const standsOn = ({ position: { newLine, oldLine } }: DiffThread, { before, after }: DiffLine): boolean =>
  newLine === null ? oldLine !== null && after === null && before === oldLine : after === newLine;
