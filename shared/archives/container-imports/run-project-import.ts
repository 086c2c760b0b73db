import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { jobsAreOver } from '../../instance/pg-boss/job-ends.js';
import { tables } from '../archive-imports/restoring.js';
import { sweepDrafts } from '../../repositories/project-imports/bring-in-repository.js';
import { failImport, finishImport, startImport } from '../../repositories/project-imports/import-state.js';
import { ImportRefused } from '../../repositories/project-imports/importer.js';
import { SNIPPET_REPOSITORIES, WIKI, projectRelationFile } from '../format/layout.js';
import { Failures } from '../archive-imports/failures.js';
import {
  actAsSender,
  closeArchiveImport,
  holdImport,
  ImportAborted,
  recordImportError,
  startArchiveImport,
} from '../archive-imports/import-state.js';
import { closeImportFolder, openImportFolder, removeImportFolders } from '../archive-imports/import-folder.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { ArchiveRejected, problemOf } from '../read/archive-rejected.js';
import { restoreRepository } from './bring-archived-repository.js';
import { NO_GROUP, readProject } from '../staging/read-project.js';
import { fillFromRepository, fillProject } from './restore-project.js';
import { restoreProjectContents } from './restore-snippets.js';
import { stageArchive } from '../staging/stage-archive.js';
import type { ArchiveReader } from '../staging/stage-archive.js';
import {
  failGroupImports,
  importGroups,
  failProjectArchives,
  importProjectArchives,
} from '../archive-imports/archive-import.jobs.js';

/** Why an import failed, where it is the archive or whoever sent it; null for a fault of ours. */
function projectFailureReason(error: unknown): string | null {
  if (error instanceof ImportAborted || error instanceof ImportRefused) return error.message;
  return error instanceof ArchiveRejected ? error.reason : null;
}

/** The branch that the archive has as the default one. */
async function defaultBranch(ctx: Context, importId: number): Promise<string | null> {
  const row = await tables({ ctx })
    .selectFrom('archive_import_groups as g')
    .select('g.attributes')
    .where('g.import_id', '=', importId)
    .where('g.source_id', '=', NO_GROUP)
    .executeTakeFirst();
  return (row?.attributes as { default_branch?: string | null } | null | undefined)?.default_branch ?? null;
}

/** A project is copied as the one group of its archive. */
const readAsGroup: ArchiveReader = async (entries, sink, report) => ({
  ids: [NO_GROUP],
  attributes: new Map([[NO_GROUP, await readProject(entries, sink, report)]]),
});

async function work(ctx: Context, found: RunningImport, projectId: number): Promise<void> {
  const acting = await actAsSender(ctx, found.user_id);
  if (found.phase !== 'restoring') await stageArchive(ctx, found, acting.caller, readAsGroup);
  await fillProject(ctx, found, projectId);
  const folder = await openImportFolder(ctx, found.id);
  try {
    await restoreProjectContents(ctx, found, projectId, folder);
    const branch = await defaultBranch(ctx, found.id);
    await restoreRepository(ctx, found, projectId, { folder, branch });
  } finally {
    await closeImportFolder(folder);
  }
  await fillFromRepository(ctx, found, projectId);
}

/** Reports relations that nothing here restores. What is left out of bundles is reported where they are read. */
async function reportUnrestored(ctx: Context, found: RunningImport): Promise<void> {
  const left = await tables({ ctx })
    .selectFrom('archive_import_relations as p')
    .select('p.relation')
    .where('p.import_id', '=', found.id)
    .where('p.restored', '=', false)
    .whereRef('p.total', '>', 'p.skipped')
    .where('p.relation', 'not in', [WIKI, SNIPPET_REPOSITORIES])
    .execute();
  const failures = new Failures(found);
  for (const { relation } of left)
    failures.add({ file: projectRelationFile(relation), line: null, relation, reason: 'is not restored here' });
  await failures.store(ctx);
}

/** All is done, and nothing of the copy is needed any more. */
async function finish(ctx: Context, found: RunningImport, projectId: number): Promise<void> {
  await ctx.transaction(async () => {
    await holdImport(ctx, found);
    await reportUnrestored(ctx, found);
    await finishImport(ctx, projectId);
    await closeArchiveImport(ctx, found.id, null);
  });
}

/**
 * Fails the import of a project's archive, for a reason that its Maintainers see. What was restored
 * stays. Safe to repeat.
 */
export async function failProjectImport(
  ctx: Context,
  { importId, projectId }: { importId: number; projectId: number },
  reason: string,
): Promise<void> {
  await ctx.transaction(async () => {
    // In the order in which steps of the import lock them.
    await closeArchiveImport(ctx, importId, reason);
    await failImport(ctx, projectId, reason.slice(0, 255));
  });
  await removeImportFolders(ctx, importId);
  await sweepDrafts(ctx, projectId);
}

/**
 * Fills a project, which was made when its archive was sent, with what that holds. Safe to repeat, and to go on with
 * after a crash: what was copied and restored is not done twice.
 * @throws what the queue shall try again; ImportOvertaken, since a try that works on it may be one that the queue has
 *   given up, and no other would follow it
 */
export async function runProjectImport(ctx: Context, importId: number, projectId: number): Promise<void> {
  const ids = { importId, projectId };
  const found = await startArchiveImport(ctx, importId);
  // It is over, or its group is gone, which its project may have left before.
  if (!found) return failProjectImport(ctx, ids, 'The import is gone.');
  try {
    if (!(await startImport(ctx, projectId))) throw new ImportAborted('The import was cancelled.');
    await work(ctx, found, projectId);
    await finish(ctx, found, projectId);
    await removeImportFolders(ctx, importId);
  } catch (error) {
    const reason = projectFailureReason(error);
    if (reason === null) {
      const problem = problemOf(error);
      if (problem !== null && !ctx.signal.aborted) await recordImportError(ctx, found, problem);
      throw error;
    }
    ctx.log.info({ err: error, import_id: importId }, 'project_archive.failed');
    await failProjectImport(ctx, ids, reason);
  }
}

const LOST = 'The job of the import was lost.';
const AT_ONCE = 100;
const JOBS = [importGroups, failGroupImports, importProjectArchives, failProjectArchives].map(({ name }) => name);

/** Fails imports that wait for a job which will never run, as jobs that somebody deleted. Safe to repeat. @returns how many */
export async function failLostImports(ctx: Context): Promise<number> {
  const lost = await tables({ ctx })
    .selectFrom('archive_imports as i')
    .select(['i.id', 'i.project_id'])
    .where('i.status', 'in', [constant('created'), constant('started')])
    .where((eb) => jobsAreOver(JOBS, 'import_id', eb.cast(eb.ref('i.id'), 'text')))
    .orderBy('i.id')
    .limit(AT_ONCE)
    .execute();
  for (const { id, project_id: projectId } of lost)
    if (projectId === null) await closeArchiveImport(ctx, id, LOST);
    else await failProjectImport(ctx, { importId: id, projectId }, LOST);
  return lost.length;
}
