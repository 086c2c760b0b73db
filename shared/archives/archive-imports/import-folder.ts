import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/** Where imports keep bundles, and what they make of them, until it is in its place: on the disk of the repositories. */
const importsFolder = (ctx: Context): string => path.join(ctx.config.dataDir, 'repositories', '@imports');

const folderOf = (ctx: Context, importId: number): string => path.join(importsFolder(ctx), String(importId));

/** An empty folder that only this service reads, for one try of an import: what an earlier one left in it is gone. */
export async function freshImportFolder(ctx: Context, importId: number): Promise<string> {
  const folder = folderOf(ctx, importId);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Removes the folder of an import with whatever is in it. Safe to repeat. */
export const removeImportFolder = (ctx: Context, importId: number): Promise<void> =>
  rm(folderOf(ctx, importId), { recursive: true, force: true });

/**
 * Removes folders of imports that are over, or gone with what they were of: their process died, and no other try
 * followed. Safe to repeat. @returns how many
 */
export async function sweepImportFolders(ctx: Context): Promise<number> {
  const names = await readdir(importsFolder(ctx)).catch(() => []);
  const ids = names.filter((name) => /^\d{1,15}$/.test(name)).map(Number);
  if (ids.length === 0) return 0;
  const rows = await ctx.query<{ id: number }>(sql`
    select i.id as "id" from archive_imports i where i.id = any(${ids}::bigint[]) and i.status in ('created', 'started')`);
  const running = new Set(rows.map(({ id }) => id));
  const over = ids.filter((id) => !running.has(id));
  for (const id of over) await removeImportFolder(ctx, id);
  return over.length;
}
