import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { tables } from './restoring.js';

/** Where imports keep bundles, and what they make of them, until they are moved: on the disk of the repositories. */
const importsFolder = (ctx: Context): string => path.join(ctx.config.dataDir, 'repositories', '@imports');

// Own pattern: what {@link withImportFolder} makes.
const NAME = /^(\d{1,15})-[0-9a-f-]{36}$/;

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Removes the folder of one try with whatever is in it. */
const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

/**
 * Does some work with an empty folder that only this service reads, for one try of an import: another one may still be
 * at work.
 */
export async function withImportFolder(
  ctx: Context,
  importId: number,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = path.join(importsFolder(ctx), `${importId}-${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await work(folder);
  } finally {
    await removeFolder(folder);
  }
}

/** Removes what tries of an import left that is over, their processes having died. Safe to repeat. */
export async function removeImportFolders(ctx: Context, importId: number): Promise<void> {
  const folder = importsFolder(ctx);
  const left = (await namesIn(folder)).filter((name) => NAME.exec(name)?.[1] === String(importId));
  for (const name of left) await removeFolder(path.join(folder, name));
}

/**
 * Removes folders of imports that are over, or gone with what they were of: their process died, and no other try
 * followed. Safe to repeat. @returns how many
 */
export async function sweepImportFolders(ctx: Context): Promise<number> {
  const folder = importsFolder(ctx);
  const found = (await namesIn(folder)).flatMap((name) => {
    const id = NAME.exec(name)?.[1];
    return id === undefined ? [] : [{ name, id: Number(id) }];
  });
  if (found.length === 0) return 0;
  const ids = found.map(({ id }) => id);
  const rows = await tables({ ctx })
    .selectFrom('archive_imports as i')
    .select('i.id')
    .where('i.id', '=', anyOf(ids, 'bigint'))
    .where('i.status', 'in', ['created', 'started'])
    .execute();
  const running = new Set(rows.map(({ id }) => id));
  const over = found.filter(({ id }) => !running.has(id));
  for (const { name } of over) await removeFolder(path.join(folder, name));
  return over.length;
}
