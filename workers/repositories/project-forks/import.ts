import type { Context } from '../../../shared/core/context/context.js';
import { importFork } from '../../../shared/repositories/project-forks/import-fork.js';
import { failForks, forkTransfers, importForks } from '../../../shared/repositories/repositories.jobs.js';
import { failImport } from '../../../shared/repositories/project-imports/import-state.js';
import { releaseTransferSlot, inTransfer } from '../../../shared/repositories/repositories/in-transfer.js';
import { handler } from '../../core/handler.js';
import { whenCancelled } from '../../core/job-ends.js';

async function giveUp(ctx: Context, projectId: number, reason: string): Promise<void> {
  await failImport(ctx, projectId, reason);
  await releaseTransferSlot(ctx, forkTransfers, projectId);
}

/** Imports the repositories of new forks. */
export const importOfForks = handler({
  kind: importForks,
  batchSize: 1,
  concurrency: 4,
  async handle(ctx, payload) {
    const { project_id: id, source_id: sourceId, branch = null } = payload;
    await whenCancelled(
      ctx,
      () =>
        inTransfer(ctx, forkTransfers, payload, async () => {
          await importFork(ctx, id, sourceId, branch);
          ctx.log.info({ project_id: id }, 'project_fork.import');
        }),
      (still) => giveUp(still, id, 'The import was cancelled.'),
    );
  },
});

/** Fails imports that no retry completed. */
export const failureOfForks = handler({
  kind: failForks,
  batchSize: 20,
  async handle(ctx, { project_id: id }) {
    await giveUp(ctx, id, 'The repository could not be copied.');
  },
});
