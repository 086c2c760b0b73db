import type { Kysely } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import type { Job } from '../pipelines/job.entity.js';
import { JobLog } from './job-log.entity.js';

/** What names the log of a job. */
export type LogKey = Pick<Job, 'id' | 'project_id'>;

type Key = { project_id: number; job_id: number };

const selectLog = (db: Kysely<CiDatabase>, { project_id: projectId, job_id: jobId }: Placeholders<Key>) =>
  db
    .selectFrom('job_logs as jl')
    .select(columns(JobLog, 'jl'))
    .where('jl.project_id', '=', projectId)
    .where('jl.job_id', '=', jobId);

const load = prepareQuery<CiDatabase, Key, JobLog>(selectLog);
const lock = prepareQuery<CiDatabase, Key, JobLog>((db, key) => selectLog(db, key).forNoKeyUpdate());

/** The log of a job; null if it has none. */
export async function findLog(ctx: Context<Caller>, job: LogKey): Promise<JobLog | null> {
  const [log] = await load(ctx, { project_id: job.project_id, job_id: job.id });
  return log ?? null;
}

/** The log of a job, locked until the transaction ends; null if it has none yet. */
export async function lockLog(ctx: Context<Caller>, job: LogKey): Promise<JobLog | null> {
  const [log] = await lock(ctx, { project_id: job.project_id, job_id: job.id });
  return log ?? null;
}

/** The log of a job, which gets an empty one if it has none, locked until the transaction ends. */
export async function lockOrCreateLog(ctx: Context<Caller>, job: LogKey): Promise<JobLog> {
  const present = await lockLog(ctx, job);
  if (present) return present;
  const now = ctx.clock.now();
  await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('job_logs')
    .columns(['project_id', 'job_id', 'created_at', 'updated_at'])
    .expression((eb) =>
      // The job may have been deleted meanwhile.
      eb
        .selectFrom('jobs as j')
        .select((of) => ['j.project_id', 'j.id', of.val(now).as('created_at'), of.val(now).as('updated_at')])
        .where('j.project_id', '=', job.project_id)
        .where('j.id', '=', job.id),
    )
    .onConflict((conflict) => conflict.columns(['project_id', 'job_id']).doNothing())
    .execute();
  const created = await lockLog(ctx, job);
  if (!created) throw new Error(`Job ${job.id} has no log.`);
  return created;
}
