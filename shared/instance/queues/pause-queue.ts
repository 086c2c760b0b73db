import type { Context, SignedInContext } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { queries } from '../../core/database/compile.js';
import type { InstanceDatabase } from '../instance.entities.js';
import { QueueControl } from './queue.entity.js';
import { notifyWorkers } from '../pg-boss/queue-channel.js';

/**
 * Pauses a queue: within 2 s no process fetches from it any longer, also after a restart (contract decision 26).
 * Running jobs continue, and new jobs are still accepted. Runs in the caller's transaction; idempotent.
 * @param queue an existing one: not checked here
 * @returns whether it was not paused before
 */
export const storePause = (ctx: SignedInContext, queue: string, reason: string | null = null): Promise<boolean> =>
  control(ctx, queue, true, reason);

/** Has a paused queue fetched from again. Safe to repeat. @returns whether it was paused before */
export const storeResume = (ctx: SignedInContext, queue: string, reason: string | null = null): Promise<boolean> =>
  control(ctx, queue, false, reason);

async function control(ctx: SignedInContext, queue: string, paused: boolean, reason: string | null): Promise<boolean> {
  const { id, username } = ctx.caller.user;
  const said = { paused, changed_by_id: id, changed_by: username, changed_at: ctx.clock.now(), reason };
  const row = queries<InstanceDatabase>()
    .selectNoFrom((eb) => [
      eb.val(queue).as('queue'),
      eb.val(said.paused).as('paused'),
      eb.val(said.changed_by_id).as('changed_by_id'),
      eb.val(said.changed_by).as('changed_by'),
      eb.val(said.changed_at).as('changed_at'),
      eb.val(said.reason).as('reason'),
    ])
    // A queue that was never paused needs no row to go on.
    .$if(!paused, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(selectFrom('queue_controls as known').select('known.queue').where('known.queue', '=', queue)),
      ),
    );
  const changed = await ctx.em
    .getKysely<InstanceDatabase>()
    .insertInto('queue_controls')
    .columns(['queue', 'paused', 'changed_by_id', 'changed_by', 'changed_at', 'reason'])
    .expression(row)
    .onConflict((conflict) =>
      conflict.column('queue').doUpdateSet(said).whereRef('queue_controls.paused', '<>', 'excluded.paused'),
    )
    .returning('paused')
    .execute();
  await notifyWorkers(ctx);
  return changed.length > 0;
}

/** The latest setting of each queue that was ever paused, by its name. */
export async function queueControls(ctx: Context): Promise<Map<string, QueueControl>> {
  const rows = await ctx.em
    .getKysely<InstanceDatabase>()
    .selectFrom('queue_controls as c')
    .select(columns(QueueControl, 'c'))
    .execute();
  return new Map(rows.map((row) => [row.queue, row]));
}
