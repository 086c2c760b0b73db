import { rename, rm, stat } from 'node:fs/promises';
import { SETTLED } from '../repositories/ref-moves.js';

/** A git process that outlived the one that started it has ended by then. */
const MAX_MOVE_MS = 5 * 60_000;
/** By this age, a transaction that would have created the target of the write has ended. */
const ABANDONED_MS = 60 * 60_000;

/** Milliseconds since the note was created; null if it no longer exists. */
const getAge = (file: string): Promise<number | null> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => null,
  );

async function olderThan(files: readonly string[], ageMs: number): Promise<string[]> {
  const ages = await Promise.all(files.map(getAge));
  return files.filter((_, index) => (ages[index] ?? 0) > ageMs);
}

/**
 * Notes that are ready to be checked: new ones, and settled ones old enough that no git process can still be running.
 */
export async function readyNotes(files: readonly string[]): Promise<string[]> {
  const ages = await Promise.all(files.map(getAge));
  return files.filter((file, index) => {
    const age = ages[index] ?? null;
    return age !== null && (age > MAX_MOVE_MS || !file.endsWith(SETTLED));
  });
}

/** Notes of what was never made, or is gone. */
export const lapsedNotes = (files: readonly string[]): Promise<string[]> => olderThan(files, ABANDONED_MS);

/** Refs and index were found equal: each note is checked once more and then deleted. */
export async function settleNotes(files: readonly string[]): Promise<void> {
  for (const file of files)
    await (file.endsWith(SETTLED) ? rm(file, { force: true }) : rename(file, file + SETTLED).catch(() => undefined));
}
