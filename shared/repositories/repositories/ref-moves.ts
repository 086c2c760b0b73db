import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { Overloaded } from '../../core/values/errors.js';
import { InvalidGitInput, RefConflict } from '../../git/index.js';

/**
 * Folder of notes about repositories whose refs, or HEAD, are about to move: a file for each move, named after the
 * project's id or the other owner of the repository, which contains only the information needed for recovery. Located
 * next to the repositories, so that every machine with access to them sees it.
 */
export const movesFolder = (ctx: Context<Caller>): string => path.join(ctx.config.dataDir, 'repositories', '.moving');

/** The purpose of a move that has related work: a name, and its data as JSON. */
export interface MovePurpose {
  readonly of: string;
  readonly data: unknown;
}

/** Makes a file that outlasts a power cut. */
async function makeFile(folder: string, name: string, content: string): Promise<void> {
  const make = async () => {
    const file = await open(path.join(folder, name), 'wx');
    try {
      if (content === '') return;
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
  };
  try {
    await make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await mkdir(folder, { recursive: true });
    await make();
  }
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Git changed nothing: it moves all refs of a call or none. */
const isRejection = (error: unknown) => error instanceof RefConflict || error instanceof InvalidGitInput;

/** Suffix of notes whose refs were found equal to the index, and that are checked once more. */
export const SETTLED = '.settled';
/** An index that differs from git is rebuilt within this many seconds. */
const MENDED_SECONDS = 5;
/** The note of a move that is committed is gone by then, in milliseconds. */
const FORGOTTEN_MS = 50;

/**
 * Whether an earlier move of the same refs was begun and never committed or undone, as when the database went away: then
 * no caller is to blame for an index that is not as in git.
 */
async function isLeft(folder: string, id: number | string, own: string): Promise<boolean> {
  const others = async () =>
    (await readdir(folder)).some((name) => name !== own && name.startsWith(`${id}.`) && !name.endsWith(SETTLED));
  if (!(await others())) return false;
  await pause(FORGOTTEN_MS);
  return others();
}

/** File name of a move's note: the owner, and a unique suffix. */
const noteName = (id: number | string): string => `${id}.${randomUUID()}`;

/**
 * Records on disk that the refs of a project's repository are about to move, so that index and refs are compared if the
 * process dies, or the transaction fails, in between (decision 46). Call it in the transaction, once the project's row
 * is locked: the lock marks the move as in progress. The note is written concurrently, and deleted once the transaction
 * is committed, or rolled back before git was called.
 * @param purpose the work that the move is part of: if interrupted, `repository.move_left` reports it
 * @returns runs the function that moves the refs, once the note is on disk
 */
export function noteMove(
  ctx: Context<Caller>,
  project: { id: number | string },
  purpose?: MovePurpose,
): (move: () => Promise<void>) => Promise<void> {
  const folder = movesFolder(ctx);
  const { id } = project;
  const name = noteName(project.id);
  const noted = makeFile(folder, name, purpose === undefined ? '' : JSON.stringify(purpose));
  // The error reaches callers that await the note.
  noted.catch(() => undefined);
  let moved = false;
  const forget = () => {
    noted
      .then(() => rm(path.join(folder, name), { force: true }))
      .catch((error: unknown) => ctx.log.warn({ err: error, project_id: project.id }, 'repository.move_note_stays'));
  };
  ctx.afterCommit(forget);
  ctx.onRollback(() => {
    if (!moved) forget();
  });
  return async (move) => {
    await noted;
    moved = true;
    try {
      await move();
    } catch (error) {
      moved = !isRejection(error);
      if (error instanceof RefConflict && (await isLeft(folder, id, name)))
        throw new Overloaded(MENDED_SECONDS, { cause: error });
      throw error;
    }
  };
}
