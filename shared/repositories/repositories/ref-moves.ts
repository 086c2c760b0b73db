import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { Overloaded } from '../../core/values/errors.js';
import { InvalidGitInput, RefConflict } from '../../git/index.js';

/**
 * Where it is noted which repositories have refs, or a HEAD, about to move: a file for each move, named by the
 * project's id or by what else the repository is of, that holds nothing but what whoever finds it must know besides. Beside the repositories, so that every machine that has these sees it.
 */
export const movesFolder = (ctx: Context<Caller>): string => path.join(ctx.config.dataDir, 'repositories', '.moving');

/** Why refs move, where something else is done with it: a name, and what belongs to it as JSON has it. */
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

/** Of a move whose refs were found equal to the index, and that is looked at once more. */
export const SETTLED = '.settled';
/** An index that is not as in git is read anew within so many seconds. */
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

/** What the note of a move is called: whose it is, and something that no other has. */
const noteName = (id: number | string): string => `${id}.${randomUUID()}`;

/**
 * Says on disk that the refs of a project's repository are about to move, so that somebody looks whether index and
 * refs are equal should the process die, or the transaction fail, in between (decision 46). Call it in the transaction,
 * once the project's row is locked: as long as that is so, the move is looked after. The note is written meanwhile, and
 * gone once the transaction is committed, or undone before git was asked.
 * @param purpose what the move is part of: should it be cut off, `repository.move_left` tells it
 * @returns runs what moves them, once the note is on disk
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
  // Whoever waits for it hears of it.
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
