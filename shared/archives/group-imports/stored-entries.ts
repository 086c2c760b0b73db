import type { Context } from '../../core/context.js';
import { openObject } from '../../core/object-store/storing.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { readEntries } from '../read/entries.js';
import type { IncomingEntry } from '../read/entries.js';
import { archiveLimits } from '../archive-imports/archive-limits.js';
import { storedArchive } from './stage-groups.js';

/**
 * The files of the archive of an import once more, for what is done with them one by one: that takes as long as it takes.
 * @throws ImportEnded where it is gone, ArchiveRefused
 */
export async function* storedEntries(ctx: Context, found: RunningImport): AsyncGenerator<IncomingEntry> {
  const archive = await storedArchive(ctx, found);
  const { maxBytes, signal } = archiveLimits(ctx);
  yield* readEntries(await openObject(ctx, archive), { maxBytes, signal });
}
