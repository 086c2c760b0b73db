import type { Context } from '../../core/context/context.js';
import {
  actAsSender,
  closeArchiveImport,
  ImportAborted,
  recordImportError,
  startArchiveImport,
} from '../archive-imports/import-state.js';
import { removeImportFolders, closeImportFolder, openImportFolder } from '../archive-imports/import-folder.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { ArchiveRejected, problemOf } from '../read/archive-rejected.js';
import { linkEpics } from '../restorers/restore-epics.js';
import { restoreGroups, rootOf } from './restore-groups.js';
import { stageArchive, storedEntries } from '../staging/stage-archive.js';
import { readGroups } from '../staging/read-groups.js';
import { tables } from '../archive-imports/restoring.js';
import { restoreContents } from './restore-contents.js';
import type { ContentImport } from './restore-contents.js';
import { groupContentBundle, WIKI } from '../format/layout.js';

/** What was made of a group of the archive; null for one that was left out. */
async function madeGroup(ctx: Context, importId: number, source: number): Promise<number | null> {
  const row = await tables({ ctx })
    .selectFrom('archive_import_groups as g')
    .select('g.group_id')
    .where('g.import_id', '=', importId)
    .where('g.source_id', '=', source)
    .where('g.status', '=', 'done')
    .executeTakeFirst();
  return row?.group_id ?? null;
}

const contentsOf = (reader: Context, found: RunningImport): ContentImport => ({
  entries: () => storedEntries(reader, found),
  bundleOf: groupContentBundle,
  async locate(ctx, { group }) {
    const of = await madeGroup(ctx, found.id, group);
    return of === null ? null : { kind: 'group_wiki', of };
  },
  requireRights: (ctx) => rootOf(ctx, found.namespace_id),
  adopted: () => Promise.resolve(),
  rejection: () => Promise.resolve(null),
});

/** Notes that all wikis of the archive are left out. */
async function countSkipped(ctx: Context, importId: number): Promise<void> {
  await tables({ ctx })
    .updateTable('archive_import_relations as p')
    .set((eb) => ({ skipped: eb.ref('p.total') }))
    .where('p.import_id', '=', importId)
    .where('p.relation', '=', WIKI)
    .execute();
}

/**
 * Restores the wikis of an archive's groups, once those are there, where the plan has wikis of groups
 * (group-export-import.md section 4.13). Safe to go on with after a crash.
 * @throws ImportAborted, ArchiveRejected
 */
async function restoreGroupWikis(ctx: Context, found: RunningImport): Promise<void> {
  if (!ctx.hasPlan('premium')) return countSkipped(ctx, found.id);
  const folder = await openImportFolder(ctx, found.id);
  try {
    await restoreContents(ctx, found, contentsOf(ctx, found), folder);
  } finally {
    await closeImportFolder(folder);
  }
}

/** Why an import failed, where it is the archive or whoever sent it; null for a fault of ours. */
function groupFailureReason(error: unknown): string | null {
  if (error instanceof ImportAborted) return error.message;
  return error instanceof ArchiveRejected ? error.reason : null;
}

async function work(ctx: Context, found: RunningImport): Promise<void> {
  const acting = await actAsSender(ctx, found.user_id);
  if (found.phase !== 'restoring') await stageArchive(ctx, found, acting.caller, readGroups);
  await restoreGroups(ctx, found);
  await linkEpics(ctx, found.id);
  await restoreGroupWikis(ctx, found);
}

/**
 * Makes what an archive holds out of it, below the group that was made when it was sent. Safe to repeat, and to go on
 * with after a crash: what was copied and restored is not done twice.
 * @throws what the queue shall try again; ImportOvertaken, since a try that works on it may be one that the queue has
 *   given up, and no other would follow it
 */
export async function runGroupImport(ctx: Context, importId: number): Promise<void> {
  const found = await startArchiveImport(ctx, importId);
  if (!found) return;
  try {
    await work(ctx, found);
    await closeArchiveImport(ctx, importId, null);
  } catch (error) {
    const reason = groupFailureReason(error);
    if (reason === null) {
      const problem = problemOf(error);
      if (problem !== null && !ctx.signal.aborted) await recordImportError(ctx, found, problem);
      throw error;
    }
    ctx.log.info({ err: error, import_id: importId }, 'group_import.failed');
    await closeArchiveImport(ctx, importId, reason);
  }
  await removeImportFolders(ctx, importId);
}
