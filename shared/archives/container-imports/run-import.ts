import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { jobsAreOver } from '../../instance/pg-boss/job-ends.js';
import { sweepDrafts } from '../../repositories/project-imports/import-repository.js';
import { failImport, finishImport, startImport } from '../../repositories/project-imports/import-state.js';
import { ImportRejectedError } from '../../repositories/project-imports/importer.js';
import { failGroupImports, failProjectArchives, importGroups, importProjectArchives } from '../archives.jobs.js';
import { Failures } from '../archive-imports/failures.js';
import { removeImportFolders } from '../archive-imports/import-folder.js';
import {
  actAsSender,
  closeArchiveImport,
  holdImport,
  ImportAborted,
  recordImportError,
  startArchiveImport,
} from '../archive-imports/import-state.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { tables } from '../archive-imports/restoring.js';
import { NO_GROUP, projectRelationFile, SNIPPET_REPOSITORIES, WIKI } from '../format/layout.js';
import { ArchiveRejected, getArchiveProblem, truncate } from '../read/archive-rejected.js';
import { linkEpics } from '../restorers/restore-epics.js';
import { archiveReaders } from '../staging/read-archive.js';
import { stageArchive } from '../staging/stage-archive.js';
import { restoreGroups } from './restore-groups.js';
import { fillFromRepository, fillProject } from './restore-project.js';
import { restoreGroupWikis, restoreProjectRepositories } from './restore-repositories.js';

/** Why an import failed, if the archive or the importing user is the cause; null for an internal error. */
function failureReason(error: unknown): string | null {
  if (error instanceof ImportAborted || error instanceof ImportRejectedError) return error.message;
  return error instanceof ArchiveRejected ? error.reason : null;
}

/** A try of an import, as far as imports of groups and of projects differ. */
interface Attempt {
  work(): Promise<void>;
  fail(reason: string): Promise<unknown>;
  /** The event of the log for an import that failed. */
  readonly failed: string;
}

/** @throws errors that the queue should retry */
async function runAttempt(ctx: Context, found: RunningImport, { work, fail, failed }: Attempt): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = failureReason(error);
    if (reason === null) {
      const problem = getArchiveProblem(error);
      if (problem !== null && !ctx.signal.aborted) await recordImportError(ctx, found, problem);
      throw error;
    }
    ctx.log.info({ err: error, import_id: found.id }, failed);
    await fail(reason);
  }
}

/** Copies the rows of the archive, unless an earlier try did so. */
async function stage(ctx: Context, found: RunningImport): Promise<void> {
  const acting = await actAsSender(ctx, found.user_id);
  const read = archiveReaders[found.project_id === null ? 'group' : 'project'];
  if (found.phase !== 'restoring') await stageArchive(ctx, found, acting.caller, read);
}

/**
 * Creates the contents of an archive below the group that was created on upload. Safe to repeat; can resume after a
 * crash: rows already copied or restored are skipped.
 * @throws errors that the queue should retry; ImportOvertaken, because the attempt that is working on it may be one
 * that the queue has given up, and would not be retried
 */
export async function runGroupImport(ctx: Context, importId: number): Promise<void> {
  const found = await startArchiveImport(ctx, importId);
  if (!found) return;
  await runAttempt(ctx, found, {
    async work() {
      await stage(ctx, found);
      await restoreGroups(ctx, found);
      await linkEpics(ctx, found.id);
      await restoreGroupWikis(ctx, found);
      await closeArchiveImport(ctx, importId, null);
    },
    fail: (reason) => closeArchiveImport(ctx, importId, reason),
    failed: 'group_import.failed',
  });
  await removeImportFolders(ctx, importId);
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

/** Reports relations that are not restored. Omitted parts of bundles are reported where the bundles are read. */
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
    await failImport(ctx, projectId, truncate(reason, 255));
  });
  await removeImportFolders(ctx, importId);
  await sweepDrafts(ctx, projectId);
}

/**
 * Fills a project, which was made when its archive was sent, with what that holds. Safe to repeat, and to go on with
 * after a crash: what was copied and restored is not done twice.
 * @throws as {@link runGroupImport}
 */
export async function runProjectImport(ctx: Context, importId: number, projectId: number): Promise<void> {
  const fail = (reason: string) => failProjectImport(ctx, { importId, projectId }, reason);
  const found = await startArchiveImport(ctx, importId);
  // It is over, or its group is gone, which its project may have left before.
  if (!found) return fail('The import is gone.');
  await runAttempt(ctx, found, {
    async work() {
      if (!(await startImport(ctx, projectId))) throw new ImportAborted('The import was cancelled.');
      await stage(ctx, found);
      await fillProject(ctx, found, projectId);
      await restoreProjectRepositories(ctx, found, projectId, await defaultBranch(ctx, importId));
      await fillFromRepository(ctx, found, projectId);
      await finish(ctx, found, projectId);
      await removeImportFolders(ctx, importId);
    },
    fail,
    failed: 'project_archive.failed',
  });
}

const LOST = 'The job of the import was lost.';
const AT_ONCE = 100;
const JOBS = [importGroups, failGroupImports, importProjectArchives, failProjectArchives].map(({ name }) => name);

/** Fails imports that wait for a job which will never run, such as a deleted job. Safe to repeat. @returns how many */
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
