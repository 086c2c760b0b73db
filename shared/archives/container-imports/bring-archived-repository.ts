import type { Context } from '../../core/context/context.js';
import { openObject } from '../../core/stored-files/storing.js';
import { tables } from '../archive-imports/restoring.js';
import { bringBundle } from '../../git/index.js';
import { bringInRepository } from '../../repositories/project-imports/bring-in-repository.js';
import { bundleProblem, extractEntry } from './restore-contents.js';
import { holdImport, ImportAborted } from '../archive-imports/import-state.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { notificationOfImport } from '../archives.pages.js';
import { PROJECT_BUNDLE } from '../format/layout.js';
import { archiveLimits, storedArchive } from '../staging/stage-archive.js';
import { readEntries } from '../read/entries.js';

/** Writes the bundle of the archive's repository to a file. @returns its path; null where there is none */
async function extractBundle(ctx: Context, found: RunningImport, folder: string): Promise<string | null> {
  const archive = await storedArchive(ctx, found);
  for await (const entry of readEntries(await openObject(ctx, archive), archiveLimits(ctx)))
    // Not before it is written: the entries end with the loop.
    if (entry.name === PROJECT_BUNDLE) return await extractEntry(entry, folder, 'project.bundle');
  return null;
}

/** What progress calls it. */
const RELATION = 'repository';

/** Whether an earlier try imported it. */
async function isThere(ctx: Context, importId: number): Promise<boolean> {
  const row = await tables({ ctx })
    .selectFrom('archive_import_relations as p')
    .select('p.restored')
    .where('p.import_id', '=', importId)
    .where('p.relation', '=', RELATION)
    .where('p.restored', '=', true)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records that it is being imported; false where another try has done so. */
async function claimRepository(ctx: Context, found: RunningImport): Promise<boolean> {
  await holdImport(ctx, found);
  const { id: import_id, namespace_id } = found;
  const whole = { total: 1, imported: 1, restored: true, skipped: 0, prepared: false, restored_through: 0 };
  const rows = await tables({ ctx })
    .insertInto('archive_import_relations')
    .values({ import_id, namespace_id, relation: RELATION, ...whole })
    .onConflict((conflict) => conflict.columns(['import_id', 'relation']).doNothing())
    .returning(notificationOfImport('archive_import_relations.import_id'))
    .execute();
  return rows.length > 0;
}

/**
 * Restores the repository of an archive, if it has one. Safe to repeat, and to go on with after a crash.
 * @param folder of the import, for the bundle while it is read
 * @param branch preferred as the default one
 * @throws ImportAborted for a bundle that is not taken
 */
export async function restoreRepository(
  ctx: Context,
  found: RunningImport,
  projectId: number,
  { folder, branch }: { folder: string; branch: string | null },
): Promise<void> {
  if (await isThere(ctx, found.id)) return;
  try {
    const file = await extractBundle(ctx, found, folder);
    if (file === null) return;
    const fill = async (draft: string) => {
      await bringBundle(file, draft, ctx.signal, { others: true });
      return { wished: [branch, 'main', 'master'] };
    };
    await bringInRepository(ctx, projectId, fill, () => claimRepository(ctx, found));
  } catch (error) {
    const problem = bundleProblem(error);
    if (problem === null) throw error;
    ctx.log.info({ err: error, project_id: projectId }, 'project_import.bundle_refused');
    throw new ImportAborted(`The repository of the archive ${problem}`);
  }
}
