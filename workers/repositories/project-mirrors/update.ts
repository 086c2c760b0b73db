import type { Context } from '../../../shared/core/context/context.js';
import { failUpdate, sendDueUpdates } from '../../../shared/repositories/project-mirrors/mirror-state.js';
import {
  failMirrorUpdates,
  mirrorTransfers,
  scheduleMirrors,
  updateMirrors,
} from '../../../shared/repositories/repositories.jobs.js';
import { updateMirror } from '../../../shared/repositories/project-mirrors/update-mirror.js';
import { releaseTransferSlot, inTransfer } from '../../../shared/repositories/repositories/in-transfer.js';
import { handler, logWork } from '../../core/handler.js';
import { whenCancelled } from '../../core/job-ends.js';

async function giveUp(ctx: Context, projectId: number, reason: string): Promise<void> {
  await failUpdate(ctx, projectId, reason);
  await releaseTransferSlot(ctx, mirrorTransfers, projectId);
}

/** Updates mirrors, each in a separate job: a slow remote must not hold up the others. */
export const updateOfMirrors = handler({
  kind: updateMirrors,
  batchSize: 1,
  concurrency: 4,
  async handle(ctx, payload) {
    const { project_id: id } = payload;
    await whenCancelled(
      ctx,
      () => inTransfer(ctx, mirrorTransfers, payload, () => updateMirror(ctx, id)),
      (still) => giveUp(still, id, 'The update was cancelled.'),
    );
  },
});

/** Fails updates that no retry completed. */
export const failureOfMirrors = handler({
  kind: failMirrorUpdates,
  batchSize: 20,
  async handle(ctx, { project_id: id }) {
    await giveUp(ctx, id, 'The repository could not be updated.');
  },
});

/** Sends the updates that are due. */
export const scheduleOfMirrors = handler({
  kind: scheduleMirrors,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, { sent: await sendDueUpdates(ctx) }, 'project_mirrors.schedule');
  },
});
