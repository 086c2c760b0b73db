import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { importForks, importProjects, updateMirrors, callTransfers } from '../repositories.jobs.js';
import { failImport } from '../project-imports/import-state.js';
import { failUpdate } from '../project-mirrors/mirror-state.js';
import { endTransfersOf } from '../repositories/call-transfers.js';

type GiveUp = (ctx: Context<Caller>, projectIds: readonly number[]) => Promise<void>;

const giveUpImport: GiveUp = (ctx, ids) => failImport(ctx, ids, 'The import was cancelled.');

/** What is said of projects whose transfer is not done, by the queue of its job. */
const GIVE_UP = new Map<string, GiveUp>([
  [importProjects.name, giveUpImport],
  [importForks.name, giveUpImport],
  [updateMirrors.name, (ctx, ids) => failUpdate(ctx, ids, 'The update was cancelled.')],
]);

/**
 * Ends the transfers whose jobs somebody cancelled or deleted while they waited: nobody else would, and the projects
 * would be shown as waiting for ever. Those that ran end in their worker.
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
