import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { CiDatabase } from '../ci.entities.js';

/** The channel that notifies the processes which follow logs; a payload is the id of a job. */
export const JOB_LOGS_CHANNEL = 'capstan_job_logs';

/** Notifies whoever follows the log of a job, once the transaction is committed, that there is more of it or its end. */
export async function notifyLogReaders(ctx: Context<Caller>, jobId: number): Promise<void> {
  await ctx.em
    .getKysely<CiDatabase>()
    .selectNoFrom((eb) => eb.fn<void>('pg_notify', [eb.val(JOB_LOGS_CHANNEL), eb.val(String(jobId))]).as('notified'))
    .execute();
}
