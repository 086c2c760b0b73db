import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { closeImportFolder, openImportFolder } from '../archive-imports/import-folder.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { restoreContents } from '../archive-imports/restore-contents.js';
import type { ContentImport } from '../archive-imports/restore-contents.js';
import { groupContentBundle, WIKI } from '../format/content-bundles.js';
import { rootOf } from './restore-groups.js';
import { storedEntries } from './stored-entries.js';

/** What was made of a group of the archive; null for one that was left out. */
async function madeGroup(ctx: Context, importId: number, source: number): Promise<number | null> {
  const row = await ctx.queryOne<{ id: number }>(sql`
    select g.group_id as "id" from archive_import_groups g
     where g.import_id = ${importId} and g.source_id = ${source} and g.status = 'done'`);
  return row?.id ?? null;
}

const contentsOf = (reader: Context, found: RunningImport): ContentImport => ({
  entries: () => storedEntries(reader, found),
  bundleOf: groupContentBundle,
  async placeOf(ctx, { group }) {
    const of = await madeGroup(ctx, found.id, group);
    return of === null ? null : { kind: 'group_wiki', of };
  },
  requireRights: (ctx) => rootOf(ctx, found.namespace_id),
  adopted: () => Promise.resolve(),
  refusal: () => Promise.resolve(null),
});

/** Notes that all wikis of the archive are left out. */
async function countSkipped(ctx: Context, importId: number): Promise<void> {
  await ctx.query(sql`
    update archive_import_relations p set skipped = p.total where p.import_id = ${importId} and p.relation = ${WIKI}`);
}

/**
 * Brings back the wikis of an archive's groups, once those are there, where the plan has wikis of groups
 * (group-export-import.md section 4.13). Safe to go on with after a crash.
 * @throws ImportEnded, ArchiveRefused
 */
export async function restoreGroupWikis(ctx: Context, found: RunningImport): Promise<void> {
  if (!ctx.hasPlan('premium')) return countSkipped(ctx, found.id);
  const folder = await openImportFolder(ctx, found.id);
  try {
    await restoreContents(ctx, found, contentsOf(ctx, found), folder);
  } finally {
    await closeImportFolder(folder);
  }
}
