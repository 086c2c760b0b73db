import type { Context } from '../../../shared/core/context/context.js';
import { importFromUrl } from '../../../shared/repositories/project-imports/import-from-url.js';
import { failImport } from '../../../shared/repositories/project-imports/import-state.js';
import { failImports, importProjects, importTransfers } from '../../../shared/repositories/repositories.jobs.js';
import { releaseTransferSlot, inTransfer } from '../../../shared/repositories/repositories/in-transfer.js';
import { handler } from '../../core/handler.js';
import { whenCancelled } from '../../core/job-ends.js';

async function giveUp(ctx: Context, projectId: number, reason: string): Promise<void> {
  await failImport(ctx, projectId, reason);
  await releaseTransferSlot(ctx, importTransfers, projectId);
}

/** Imports remote repositories, each in a separate job: a slow remote must not hold up the others. */
export const importOfProjects = handler({
  kind: importProjects,
  batchSize: 1,
  concurrency: 4,
  async handle(ctx, payload) {
    const { project_id: id, default_branch: branch = null } = payload;
    await whenCancelled(
      ctx,
      () => inTransfer(ctx, importTransfers, payload, () => importFromUrl(ctx, id, branch)),
      (still) => giveUp(still, id, 'The import was cancelled.'),
    );
  },
});

/** Fails imports that no retry completed. */
export const failureOfImports = handler({
  kind: failImports,
  batchSize: 20,
  async handle(ctx, { project_id: id }) {
    await giveUp(ctx, id, 'The repository could not be imported.');
  },
});
