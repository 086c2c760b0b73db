import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';

/** Puts jobs that have become pending into the queue; runners that wait for such jobs are woken. */
export async function enqueueJobs(ctx: Context<Caller>, jobIds: readonly number[]): Promise<void> {
  if (jobIds.length === 0) return;
  await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('ci_queue')
    .columns(['project_id', 'job_id', 'protected', 'tag_list', 'queued_at'])
    .expression((eb) =>
      eb
        .selectFrom('jobs as j')
        .select((of) => ['j.project_id', 'j.id', 'j.protected', 'j.tag_list', of.val(ctx.clock.now()).as('queued_at')])
        .where('j.id', '=', anyOf(jobIds, 'bigint'))
        .orderBy('j.id'),
    )
    .onConflict((conflict) => conflict.column('job_id').doNothing())
    .execute();
}

/** Takes jobs out of the queue. Call it before their rows are changed: a hand-out locks in this order too. */
export async function dequeueJobs(ctx: Context<Caller>, jobIds: readonly number[]): Promise<void> {
  if (jobIds.length === 0) return;
  await ctx.em.getKysely<CiDatabase>().deleteFrom('ci_queue').where('job_id', '=', anyOf(jobIds, 'bigint')).execute();
}
