import type { Kysely } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { columns, nested } from '../../core/database/columns.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { Forbidden } from '../../core/values/errors.js';
import type { CiDatabase } from '../ci.entities.js';
import { Job, JobRun } from '../pipelines/job.entity.js';

/** Longer than any that is made here. */
const MAX_TOKEN = 255;

/** A job in the hands of a runner. */
export interface FoundRun extends JobRun {
  job: Job;
}

type Digest = { digest: Uint8Array };

const selectRun = (db: Kysely<CiDatabase>, { digest }: Placeholders<Digest>) =>
  db
    .selectFrom('job_runs as jr')
    .innerJoin('jobs as j', 'j.id', 'jr.job_id')
    .select([...columns(JobRun, 'jr'), ...nested('job', Job, 'j')])
    .where('jr.token_digest', '=', digest);

const findRun = prepareQuery(selectRun);
const findAndLock = prepareQuery((db: Kysely<CiDatabase>, values: Placeholders<Digest>) =>
  selectRun(db, values).forNoKeyUpdate('j'),
);

/**
 * The job that a token was given out with, in whatever state it is; null for a token that is unknown. The job's row is
 * not locked. Tokens are compared by keyed digests, which reveal nothing by timing.
 */
export async function findRunOfToken(ctx: Context<Caller>, token: string | undefined): Promise<FoundRun | null> {
  if (token === undefined || token === '' || token.length > MAX_TOKEN) return null;
  const [run] = await findRun(ctx, { digest: ctx.services.keys.digest(token) });
  return run ?? null;
}

/** The same for a token that must be that job's. */
export async function findRunByToken(ctx: Context<Caller>, jobId: number, token: string): Promise<FoundRun | null> {
  const run = await findRunOfToken(ctx, token);
  return run?.job.id === jobId ? run : null;
}

/** A run as it is now, its job locked until the transaction ends; null if the job was taken back from its runner. */
export async function lockRun(ctx: Context<Caller>, { token_digest: digest }: FoundRun): Promise<FoundRun | null> {
  const [run] = await findAndLock(ctx, { digest });
  return run ?? null;
}

/** Whether the token of a job opens anything: it dies with the job. */
export const isRunAlive = ({ job: { status } }: FoundRun): boolean => status === 'running' || status === 'canceling';

/** Headers that tell a runner what has become of its job. */
const getStatusHeaders = ({ status }: Pick<Job, 'status'>): Record<string, string> => ({ 'Job-Status': status });

/** The refusal of a job that is not in the hands of the runner, which then stops working on it. */
export const rejectEndedJob = (job: Pick<Job, 'status'>): Forbidden =>
  new Forbidden('Job is not running').withHeaders(getStatusHeaders(job));
