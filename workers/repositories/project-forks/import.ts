import { importFork } from '../../../shared/repositories/project-forks/import-fork.js';
import { failForks, forkTransfers, importForks } from '../../../shared/repositories/project-forks/project-fork.jobs.js';
import { failImport } from '../../../shared/repositories/project-imports/import-state.js';
import { giveUpPlace, inTransfer } from '../../../shared/repositories/repository-transfers/in-transfer.js';
import { handler } from '../../core/handler.js';

/** Brings the repositories of new forks in. */
export const importOfForks = handler({
  kind: importForks,
  batchSize: 1,
  concurrency: 4,
  async handle(ctx, payload) {
    await inTransfer(ctx, forkTransfers, payload, async () => {
      await importFork(ctx, payload.project_id, payload.source_id, payload.branch ?? null);
      ctx.log.info({ project_id: payload.project_id }, 'project_fork.import');
    });
  },
});

/** Ends imports that no try brought to an end. */
export const failureOfForks = handler({
  kind: failForks,
  batchSize: 20,
  async handle(ctx, { project_id: id }) {
    await failImport(ctx, id, 'The repository could not be copied.');
    await giveUpPlace(ctx, forkTransfers, id);
  },
});
