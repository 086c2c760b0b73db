import { rename, rm, stat } from 'node:fs/promises';
import { SETTLED } from '../repositories/ref-moves.js';

/** A git process that outlived the one that started it has ended by then. */
const MAX_MOVE_MS = 5 * 60_000;
/** A transaction that would have made what is written to has ended by then. */
const ABANDONED_MS = 60 * 60_000;

/** Milliseconds since the note was made; null where it is gone. */
const ageOf = (file: string): Promise<number | null> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => null,
  );

async function olderThan(files: readonly string[], ageMs: number): Promise<string[]> {
  const ages = await Promise.all(files.map(ageOf));
  return files.filter((_, index) => (ages[index] ?? 0) > ageMs);
}

/** Notes that are to be looked at: new ones, and of those that were settled the ones after which no git process can still run. */
export async function readyNotes(files: readonly string[]): Promise<string[]> {
  const ages = await Promise.all(files.map(ageOf));
  return files.filter((file, index) => {
    const age = ages[index] ?? null;
    return age !== null && (age > MAX_MOVE_MS || !file.endsWith(SETTLED));
  });
}

/** Notes of what was never made, or is gone. */
export const lapsedNotes = (files: readonly string[]): Promise<string[]> => olderThan(files, ABANDONED_MS);

/** Refs and index were found equal: each note is looked at once more, then it goes. */
export async function settleNotes(files: readonly string[]): Promise<void> {
  for (const file of files)
    await (file.endsWith(SETTLED) ? rm(file, { force: true }) : rename(file, file + SETTLED).catch(() => undefined));
}
