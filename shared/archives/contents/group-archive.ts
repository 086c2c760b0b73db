import type { Context } from '../../core/context.js';
import type { Queryable } from '../../core/database/database.js';
import { SERVICE_VERSION } from '../../core/version.js';
import {
  ALL_GROUPS_FILE,
  FORMAT_VERSION,
  groupFile,
  groupRelationFile,
  PRODUCT_REVISION_FILE,
  PRODUCT_VERSION_FILE,
  VERSION_FILE,
} from '../format/layout.js';
import { groupWikiBundles } from './content-bundles.js';
import { readGroupRelations } from './group-readers.js';
import { groupIdsOf, groupObjects } from './group-tree.js';
import type { PackedFile } from './pack.js';
import type { Progress } from './progress.js';
import { relationFiles } from './relation-files.js';
import { writtenRelations } from './relation-reader.js';

/** Groups whose attributes are read together. */
const GROUPS = 200;

export const textFile = (name: string, text: string): PackedFile => {
  const content = Buffer.from(text);
  return { name, bytes: content.length, content };
};

/** What every archive begins with. */
export const versionFiles = (ctx: Context): PackedFile[] => [
  textFile(VERSION_FILE, FORMAT_VERSION),
  textFile(PRODUCT_VERSION_FILE, SERVICE_VERSION),
  textFile(PRODUCT_REVISION_FILE, ctx.config.revision),
];

/**
 * The files of a group's archive (group-export-import.md section 3), as the context's user sees the group in a snapshot:
 * always the same ones in the same order for the same group.
 */
export async function* groupArchive(
  ctx: Context,
  db: Queryable,
  rootId: number,
  progress: Progress,
): AsyncGenerator<PackedFile> {
  yield* versionFiles(ctx);
  const ids = await groupIdsOf(ctx, db, rootId);
  await progress.begin('groups', ids.length);
  yield textFile(ALL_GROUPS_FILE, ids.map((id) => `${id}\n`).join(''));
  for (let at = 0; at < ids.length; at += GROUPS) {
    const objects = await groupObjects(ctx, db, ids.slice(at, at + GROUPS));
    for (const { id, json } of objects) yield textFile(groupFile(id), json);
    await progress.done('groups', objects.length);
  }
  for (const relation of writtenRelations(ctx, readGroupRelations))
    yield* relationFiles(ctx, db, relation, ids, (id) => groupRelationFile(id, relation.name), progress);
  yield* groupWikiBundles(ctx, db, ids, progress);
}
