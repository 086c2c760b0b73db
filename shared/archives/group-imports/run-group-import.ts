import type { Context } from '../../core/context.js';
import { actAsSender } from '../archive-imports/act-as-sender.js';
import { removeImportFolders } from '../archive-imports/import-folder.js';
import { endArchiveImport, ImportEnded, noteTrouble, startArchiveImport } from '../archive-imports/import-state.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { ArchiveRefused } from '../read/archive-refused.js';
import { troubleOf } from '../read/trouble-of.js';
import { linkEpics } from './restore-epics.js';
import { restoreGroupWikis } from './restore-group-wikis.js';
import { restoreGroups } from './restore-groups.js';
import { stageGroups } from './stage-groups.js';

/** Why an import ends for a reason of the archive's or of whoever sent it; null for a fault of ours. */
function endingReason(error: unknown): string | null {
  if (error instanceof ImportEnded) return error.message;
  return error instanceof ArchiveRefused ? error.reason : null;
}

async function work(ctx: Context, found: RunningImport): Promise<void> {
  const acting = await actAsSender(ctx, found.user_id);
  if (found.phase !== 'restoring') await stageGroups(ctx, found, acting.caller);
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
    await endArchiveImport(ctx, importId, null);
  } catch (error) {
    const reason = endingReason(error);
    if (reason === null) {
      const trouble = troubleOf(error);
      if (trouble !== null && !ctx.signal.aborted) await noteTrouble(ctx, found, trouble);
      throw error;
    }
    ctx.log.info({ err: error, import_id: importId }, 'group_import.failed');
    await endArchiveImport(ctx, importId, reason);
  }
  await removeImportFolders(ctx, importId);
}
