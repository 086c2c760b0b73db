import {
  failGroupImports,
  failProjectArchives,
  importGroups,
  importProjectArchives,
  planGroupImports,
  planProjectArchives,
  sweepImports,
} from '../../../shared/archives/archives.jobs.js';
import { sweepImportFolders } from '../../../shared/archives/archive-imports/import-folder.js';
import {
  closeArchiveImport,
  lastImportError,
  recordProcessExit,
} from '../../../shared/archives/archive-imports/import-state.js';
import {
  failLostImports,
  failProjectImport,
  runGroupImport,
  runProjectImport,
} from '../../../shared/archives/container-imports/run-import.js';
import { sweepImportPlans } from '../../../shared/archives/import-plans/run-import-plan.js';
import { handler, logWork } from '../../core/handler.js';
import { whenCancelled } from '../../core/job-ends.js';

/** Fills groups with what archives hold, each by itself: a large one must not hold up the others. */
export const importOfGroups = handler({
  kind: importGroups,
  batchSize: 1,
  concurrency: 3,
  longStatements: true,
  async handle(ctx, { import_id: id }) {
    await whenCancelled(
      ctx,
      () => runGroupImport(ctx, id),
      async (still) => {
        await closeArchiveImport(still, id, 'The import was cancelled.');
      },
    );
  },
  onProcessExit: (ctx, { import_id: id }, reason) => recordProcessExit(ctx, id, reason),
});

/** Fails imports that no try completed. */
export const failureOfGroupImports = handler({
  kind: failGroupImports,
  batchSize: 20,
  async handle(ctx, { import_id: id }) {
    const problem = await lastImportError(ctx, id);
    await closeArchiveImport(ctx, id, problem ?? 'The group could not be imported.');
  },
});

/** Fills projects with what archives hold, each by itself: a large one must not hold up the others. */
export const importOfProjectArchives = handler({
  kind: importProjectArchives,
  batchSize: 1,
  concurrency: 3,
  longStatements: true,
  async handle(ctx, { import_id: importId, project_id: projectId }) {
    await whenCancelled(
      ctx,
      () => runProjectImport(ctx, importId, projectId),
      (still) => failProjectImport(still, { importId, projectId }, 'The import was cancelled.'),
    );
  },
  onProcessExit: (ctx, { import_id: importId }, reason) => recordProcessExit(ctx, importId, reason),
});

/** Fails imports that no try completed. */
export const failureOfProjectArchives = handler({
  kind: failProjectArchives,
  batchSize: 20,
  async handle(ctx, { import_id: importId, project_id: projectId }) {
    const problem = await lastImportError(ctx, importId);
    await failProjectImport(ctx, { importId, projectId }, problem ?? 'The project could not be imported.');
  },
});

/** Removes files of imports whose process died, fails imports whose job is lost, and removes plans after an hour. */
export const sweepOfImports = handler({
  kind: sweepImports,
  batchSize: 1,
  async handle(ctx) {
    const lost = await failLostImports(ctx);
    const plans = await sweepImportPlans(ctx, [planGroupImports.name, planProjectArchives.name]);
    logWork(ctx.log, { removed: await sweepImportFolders(ctx), lost, plans }, 'archive_import.sweep');
  },
});
