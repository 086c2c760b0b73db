import {
  closeArchiveImport,
  lastImportError,
  recordProcessExit,
} from '../../../shared/archives/archive-imports/import-state.js';
import { failGroupImports, importGroups } from '../../../shared/archives/archive-imports/archive-import.jobs.js';
import { runGroupImport } from '../../../shared/archives/container-imports/run-group-import.js';
import { handler } from '../../core/handler.js';
import { whenCancelled } from '../../core/when-cancelled.js';

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
  processEnded: (ctx, { import_id: id }, reason) => recordProcessExit(ctx, id, reason),
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
