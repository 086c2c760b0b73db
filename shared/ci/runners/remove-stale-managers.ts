import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { STALE_MS } from './runner-status.js';

/** Managers that one run removes at most. */
const BATCH = 1_000;

/**
 * Removes managers that are stale: their programs have made no contact for seven days. One that comes back is made anew.
 * Runners stay, however long they have been silent.
 * @returns how many were removed
 */
export async function removeStaleManagers(ctx: Context): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - STALE_MS);
  const removed = await ctx.em
    .getKysely<CiDatabase>()
    .with('stale', (db) =>
      db
        .selectFrom('runner_managers as m')
        .select('m.id')
        .where('m.created_at', '<', before)
        .where((eb) => eb.or([eb('m.contacted_at', 'is', null), eb('m.contacted_at', '<', before)]))
        .orderBy('m.created_at')
        .limit(constant(BATCH))
        // Those that make contact just now stay.
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom('runner_managers as m')
    .using('stale as s')
    .whereRef('m.id', '=', 's.id')
    .returning('m.id')
    .execute();
  return removed.length;
}
