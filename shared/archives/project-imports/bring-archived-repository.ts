import type { Context } from '../../core/context.js';
import { openObject } from '../../core/object-store/storing.js';
import { bringBundle } from '../../git/index.js';
import { bringInRepository } from '../../repositories/project-imports/bring-in-repository.js';
import { finishEmptyImport } from '../../repositories/project-imports/import-state.js';
import { bundleProblem, extractEntry } from '../archive-imports/extract-bundle.js';
import { ImportEnded } from '../archive-imports/import-state.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { PROJECT_BUNDLE } from '../format/layout.js';
import { archiveLimits, storedArchive } from '../group-imports/stage-groups.js';
import { readEntries } from '../read/entries.js';

/** Writes the bundle of the archive's repository to a file. @returns its path; null where there is none */
async function extractBundle(ctx: Context, found: RunningImport, folder: string): Promise<string | null> {
  const archive = await storedArchive(ctx, found);
  for await (const entry of readEntries(await openObject(ctx, archive), archiveLimits(ctx)))
    if (entry.name === PROJECT_BUNDLE) return extractEntry(entry, folder, 'project.bundle');
  return null;
}

/**
 * Brings in the repository of an archive, and ends the project's import as `finished`. Safe to repeat, and to go on with
 * after a crash.
 * @param folder of the import, for the bundle while it is read
 * @param branch wished for as the default one
 * @throws ImportEnded for a bundle that is not taken
 */
export async function bringArchivedRepository(
  ctx: Context,
  found: RunningImport,
  projectId: number,
  { folder, branch }: { folder: string; branch: string | null },
): Promise<void> {
  try {
    const file = await extractBundle(ctx, found, folder);
    if (file === null) return await finishEmptyImport(ctx, projectId);
    await bringInRepository(ctx, projectId, async (draft) => {
      await bringBundle(file, draft, ctx.signal);
      return { wished: [branch, 'main', 'master'] };
    });
  } catch (error) {
    const problem = bundleProblem(error);
    if (problem === null) throw error;
    ctx.log.info({ err: error, project_id: projectId }, 'project_import.bundle_refused');
    throw new ImportEnded(`The repository of the archive ${problem}`);
  }
}
