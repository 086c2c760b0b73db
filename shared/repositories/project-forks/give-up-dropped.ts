import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { importForks, importProjects, updateMirrors, callTransfers } from '../repositories.jobs.js';
import { failImport } from '../project-imports/import-state.js';
import { failUpdate } from '../project-mirrors/mirror-state.js';
import { endTransfersOf } from '../repositories/call-transfers.js';

type GiveUp = (ctx: Context<Caller>, projectIds: readonly number[]) => Promise<void>;

const giveUpImport: GiveUp = (ctx, ids) => failImport(ctx, ids, 'The import was cancelled.');

/** Handlers for projects whose transfer will not run, by the queue of its job. */
const GIVE_UP = new Map<string, GiveUp>([
  [importProjects.name, giveUpImport],
  [importForks.name, giveUpImport],
  [updateMirrors.name, (ctx, ids) => failUpdate(ctx, ids, 'The update was cancelled.')],
]);

/**
 * Fails the transfers whose queued jobs were cancelled or deleted: otherwise the projects would be shown as waiting
 * forever. Running transfers end in their worker.
 */
export async function giveUpDropped(
  ctx: Context<Caller>,
  jobs: readonly { readonly queue: string; readonly id: string }[],
): Promise<void> {
  const transfers = Map.groupBy(
    jobs.filter(({ queue }) => GIVE_UP.has(queue)),
    ({ queue }) => queue,
  );
  for (const [queue, some] of transfers) {
    const projectIds = await endTransfersOf(
      ctx,
      some.map(({ id }) => id),
    );
    if (projectIds.length > 0) await GIVE_UP.get(queue)?.(ctx, projectIds);
  }
  if (transfers.size > 0) await ctx.jobs.send(callTransfers, {});
}
