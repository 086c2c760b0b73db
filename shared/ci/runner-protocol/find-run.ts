import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { columns, nested } from '../../core/database/columns.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import { Job, JobRun } from '../pipelines/job.entity.js';

/** A job in the hands of a runner. */
export interface FoundRun extends JobRun {
  job: Job;
}

const findRun = prepareQuery<CiDatabase, { digest: Uint8Array; job_id: number }, FoundRun>((db, values) =>
  db
    .selectFrom('job_runs as jr')
    .innerJoin('jobs as j', 'j.id', 'jr.job_id')
    .select([...columns(JobRun, 'jr'), ...nested('job', Job, 'j')])
    .where('jr.token_digest', '=', values.digest)
    .where('jr.job_id', '=', values.job_id),
);

/**
 * The job of a job token, in whatever state it is; null for a token that is not this job's. The job's row is not
 * locked.
 */
export async function findRunByToken(ctx: Context<Caller>, jobId: number, token: string): Promise<FoundRun | null> {
  const [run] = await findRun(ctx, { digest: ctx.services.keys.digest(token), job_id: jobId });
  return run ?? null;
}

/** Whether the token of a job opens anything: it dies with the job. */
export const isRunAlive = ({ job: { status } }: FoundRun): boolean => status === 'running' || status === 'canceling';
