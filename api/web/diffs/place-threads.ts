import type { NotePosition, ShownThread } from '../discussions/threads.js';
import type { FileDiff } from '../client/api.js';
import type { DiffLine } from './lines.js';

/** A thread that stands on a diff. */
export interface PlacedThread {
  thread: ShownThread;
  position: NotePosition;
}

/** The threads of a merge request that stand on its diff, by where that is. */
interface PlacedThreads {
  /** Those of lines as they are now. */
  current: readonly PlacedThread[];
  /** Those of lines that later commits changed. */
  outdated: readonly PlacedThread[];
}

/** Threads that stand on a diff: now, or on an earlier one. Positions that are still true name the newest head. */
export function placeThreads(threads: readonly ShownThread[], headSha: string | null): PlacedThreads {
  const placed = threads.flatMap((thread) => {
    const position = thread.notes.nodes[0]?.position;
    return position ? [{ thread, position }] : [];
  });
  const isCurrent = ({ position }: PlacedThread) => position.diffRefs.headSha === headSha;
  return { current: placed.filter(isCurrent), outdated: placed.filter((one) => !isCurrent(one)) };
}

const isOf =
  (file: FileDiff) =>
  ({ position: { newPath, oldPath } }: PlacedThread): boolean =>
    newPath === file.new_path || (newPath === null && oldPath === file.old_path);

/** The threads of a file. */
export const threadsOfFile = (threads: readonly PlacedThread[], file: FileDiff): PlacedThread[] =>
  threads.filter(isOf(file));

/** Whether a thread stands on a line: an added one is named by its number after, a removed one by that before. */
export const standsOn = ({ position: { newLine, oldLine } }: PlacedThread, { before, after }: DiffLine): boolean =>
  newLine === null ? oldLine !== null && after === null && before === oldLine : after === newLine;
