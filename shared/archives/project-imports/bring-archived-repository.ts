import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Context } from '../../core/context.js';
import { openObject } from '../../core/object-store/storing.js';
import { bringBundle, GitFailed, GitTimeout, TooManyRefs } from '../../git/index.js';
import { bringInRepository } from '../../repositories/project-imports/bring-in-repository.js';
import { finishEmptyImport } from '../../repositories/project-imports/import-state.js';
import { ImportEnded } from '../archive-imports/import-state.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { PROJECT_BUNDLE } from '../format/layout.js';
import { archiveLimits, storedArchive } from '../group-imports/stage-groups.js';
import { readEntries } from '../read/entries.js';

/** Writes the bundle of the archive to a file that nobody else reads. @returns whether there is one */
async function extractBundle(ctx: Context, found: RunningImport, target: string): Promise<boolean> {
  const archive = await storedArchive(ctx, found);
  for await (const entry of readEntries(await openObject(ctx, archive), archiveLimits(ctx))) {
    if (entry.name !== PROJECT_BUNDLE) continue;
    const file = await open(target, 'wx', 0o600);
    try {
      for await (const piece of entry.contents()) await file.write(piece);
    } finally {
      await file.close();
    }
    return true;
  }
  return false;
}

/** What is wrong with a bundle; null for a fault of ours. */
function bundleProblem(error: unknown): string | null {
  if (error instanceof TooManyRefs) return `The repository has more than ${error.most} branches and tags.`;
  if (error instanceof GitTimeout) return 'The repository of the archive took too long.';
  if (!(error instanceof GitFailed)) return null;
  // A full disk and the like end git as well; those are worth another try.
  if (/No space left|Disk quota|unable to (create|write)/i.test(error.stderr)) return null;
  return 'The repository of the archive is damaged, or holds what no repository may.';
}

/**
 * Brings in the repository of an archive, and ends the project's import as `finished`. Safe to repeat, and to go on with
 * after a crash.
 * @param branch wished for as the default one
 * @throws ImportEnded for a bundle that is not taken
 */
export async function bringArchivedRepository(
  ctx: Context,
  found: RunningImport,
  projectId: number,
  branch: string | null,
): Promise<void> {
  const file = path.join(tmpdir(), `project-import-${randomUUID()}.bundle`);
  try {
    if (!(await extractBundle(ctx, found, file))) return await finishEmptyImport(ctx, projectId);
    await bringInRepository(ctx, projectId, async (draft) => {
      await bringBundle(file, draft, ctx.signal);
      return { wished: [branch, 'main', 'master'] };
    });
  } catch (error) {
    const reason = bundleProblem(error);
    if (reason === null) throw error;
    ctx.log.info({ err: error, project_id: projectId }, 'project_import.bundle_refused');
    throw new ImportEnded(reason);
  } finally {
    await rm(file, { force: true });
  }
}
