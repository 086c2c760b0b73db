import type { Context, SignedInContext } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { storing } from '../../core/stored-files/storing.js';
import { actAsUser } from '../../planning/issue-links/acting-user.js';
import { containerTypes } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { administers, containerOfRow } from '../../core/operations/container.js';
import { groupArchive } from '../contents/group-archive.js';
import { packFiles } from '../contents/pack.js';
import { projectArchive } from '../contents/project-archive.js';
import { inSnapshot } from '../contents/snapshot.js';
import { withOrigin } from '../origin/archive-origin.js';
import { problemOf } from '../read/archive-rejected.js';
import type { ArchiveExport } from './archive-export.entity.js';
import {
  closeExport,
  ExportAborted,
  finishExport,
  isOvertaken,
  recordExportError,
  startExport,
  reportProgress,
} from './export-state.js';

/** Of objects in the store. */
const KIND = 'exports';

/** An export may not be written. The message says why. */
export class ExportRejected extends Error {}

/**
 * Whoever requested it, and what of: what was allowed then must still be.
 * @throws ExportRejected
 */
export async function authorizeExport(
  ctx: Context,
  row: Pick<ArchiveExport, 'user_id' | 'project_id' | 'namespace_id'>,
): Promise<{ acting: SignedInContext; container: Container }> {
  const acting = await actAsUser(ctx, row.user_id);
  if (!acting) throw new ExportRejected('The user who asked for the export is gone or blocked.');
  const ref = containerOfRow(row);
  if (!ref) throw new ExportRejected('What was to be exported is gone.');
  const container = await containerTypes[ref.kind].subject
    .find(acting, { id: String(ref.id) })
    .catch((error: unknown) => {
      if (error instanceof NotFound) throw new ExportRejected('What was to be exported is gone.');
      throw error;
    });
  if (!administers(acting.caller, container))
    throw new ExportRejected('The user who asked for the export may not export it any more.');
  return { acting, container };
}

/** Writes the archive into the store, and gives it to the export once it is whole. */
async function write(acting: SignedInContext, row: ArchiveExport, container: Container): Promise<void> {
  const progress = reportProgress(acting, row);
  await inSnapshot(acting, async (snapshot) => {
    const files =
      container.kind === 'group'
        ? groupArchive(acting, snapshot, container.id, progress)
        : projectArchive(acting, snapshot, container.record, row.description ?? null, progress);
    await storing(
      acting,
      KIND,
      packFiles(withOrigin(files, acting.services.keys)),
      { limit: Infinity },
      async (archive) => {
        await progress.end();
        const name = archiveName(acting.clock.now(), container.record.full_path);
        await finishExport(acting, row, archive, name);
      },
    );
  });
}

/**
 * Does one try of an export. An archive is there whole or not at all, whenever this ends; safe to repeat.
 * @throws what the queue shall try again
 */
export async function runExport(ctx: Context, id: number): Promise<void> {
  const row = await startExport(ctx, id);
  if (!row) return;
  try {
    const { acting, container } = await authorizeExport(ctx, row);
    await write(acting, row, container);
  } catch (error) {
    if (error instanceof ExportAborted) {
      if (await isOvertaken(ctx, row)) throw error;
      return;
    }
    if (!(error instanceof ExportRejected)) {
      if (!ctx.signal.aborted)
        await recordExportError(ctx, row, problemOf(error) ?? 'The archive could not be written.');
      throw error;
    }
    await closeExport(ctx, id, 'failed', error.message);
  }
}

const CHARACTERS = 51;

/**
 * The name of an archive's file: `2026-11-20_20-05-123_team_tools_export.tar.gz`, of hour, minute and milliseconds,
 * cut before its ending (group-export-import.md section 2.9).
 */
function archiveName(time: Date, fullPath: string): string {
  // 2026-11-20T20:05:07.123Z
  const iso = time.toISOString();
  const stamp = `${iso.slice(0, 10)}_${iso.slice(11, 13)}-${iso.slice(14, 16)}-${iso.slice(20, 23)}`;
  return `${`${stamp}_${fullPath.replaceAll('/', '_')}`.slice(0, CHARACTERS)}_export.tar.gz`;
}
