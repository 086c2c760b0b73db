import type { Context } from '../../core/context/context.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { endTransfer } from './call-transfers.js';
import { callTransfers } from '../repositories.jobs.js';
import type { TransferJob, TransferKind } from '../repositories.jobs.js';
import { requestTransfers } from './request-transfers.js';

/**
 * Runs a transfer that is next in the queue. One that was not started from the queue, such as a job of an earlier
 * version, is queued like the others and does not occupy a worker meanwhile. A failed transfer keeps its slot for the
 * next attempt of its job.
 */
export async function inTransfer<P extends TransferJob>(
  ctx: Context,
  kind: TransferKind<P>,
  payload: P,
  work: () => Promise<void>,
): Promise<void> {
  const row = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('repository_transfers as t')
    .select('t.job_id')
    .where('t.project_id', '=', payload.project_id)
    .where('t.queue', '=', kind.job.name)
    .executeTakeFirst();
  if (!row) return ctx.transaction(() => requestTransfers(ctx, kind, [payload]));
  if (row.job_id === null) return;
  await work();
  await releaseTransferSlot(ctx, kind, payload.project_id);
}

/** Passes the slot of a transfer that ended, or was given up, to the next one. */
export async function releaseTransferSlot(
  ctx: Context,
  { job }: { job: { name: string } },
  projectId: number,
): Promise<void> {
  await ctx.transaction(async () => {
    await endTransfer(ctx, job.name, projectId);
    await ctx.jobs.send(callTransfers, {});
  });
}
