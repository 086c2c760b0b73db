import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { storing } from '../../core/stored-files/storing.js';
import type { CiDatabase } from '../ci.entities.js';
import { sealJobLogs } from '../ci.jobs.js';
import { ALIVE_STATUSES, isAlive } from '../job-states/status-predicates.js';
import { findLog, lockLog } from './job-log.finder.js';
import type { LogKey } from './job-log.finder.js';
import type { JobLog } from './job-log.entity.js';
import { notifyLogReaders } from './log-channel.js';
import { readChunks } from './read-log.js';
import { setCoverage } from './set-coverage.js';

/** What a log may have at most, whatever its limit was while it was written. */
const MAX_BYTES = 2 ** 40;
const BATCH = 100;
/** A job whose end was lost on the way to its log is looked for after this time. */
const LOST_MS = 60_000;

async function* readAllChunks(ctx: Context, job: LogKey): AsyncGenerator<Uint8Array> {
  for (let position = 0; ;) {
    const chunks = await readChunks(ctx, job, position);
    if (chunks.length === 0) return;
    for (const chunk of chunks) yield chunk;
    position += chunks.reduce((sum, { length }) => sum + length, 0);
  }
}

/** Moves what is stored in the chunks into the object; in one transaction, so that a reader finds either. */
async function replaceChunks(ctx: Context, log: JobLog, objectId: number | null): Promise<void> {
  const now = ctx.clock.now();
  const db = ctx.em.getKysely<CiDatabase>();
  await db
    .updateTable('job_logs')
    .set({ object_id: objectId, sealed_at: now, updated_at: now })
    .where('id', '=', log.id)
    .execute();
  await db
    .deleteFrom('job_log_chunks')
    .where('project_id', '=', log.project_id)
    .where('job_id', '=', log.job_id)
    .execute();
}

/** Whether the log is as it was read; it is locked then. */
async function isUnchanged(ctx: Context, log: JobLog): Promise<boolean> {
  const now = await lockLog(ctx, { id: log.job_id, project_id: log.project_id });
  return now?.sealed_at === null && now.bytes === log.bytes && now.crc32 === log.crc32;
}

async function isOver(ctx: Context, jobId: number): Promise<{ project_id: number } | null> {
  const row = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('jobs as j')
    .select(['j.project_id', 'j.status'])
    .where('j.id', '=', jobId)
    .executeTakeFirst();
  return row && !isAlive(row.status) ? row : null;
}

/**
 * Moves the log of a job that is over from its chunks into the object store, and notifies whoever follows it. Memory
 * does not grow with the log; done twice, it changes nothing.
 * @returns whether this call sealed it
 */
export async function sealLog(ctx: Context, jobId: number): Promise<boolean> {
  const row = await isOver(ctx, jobId);
  if (!row) return false;
  const job = { id: jobId, project_id: row.project_id };
  const log = await findLog(ctx, job);
  const done = log?.sealed_at === null && (await storeLog(ctx, job, log));
  await ctx.transaction(() => notifyLogReaders(ctx, jobId));
  await setCoverage(ctx, job);
  return done;
}

async function storeLog(ctx: Context, job: LogKey, log: JobLog): Promise<boolean> {
  const finish = (keep: () => Promise<number | null>) =>
    ctx.transaction(async () => {
      if (!(await isUnchanged(ctx, log))) return false;
      await replaceChunks(ctx, log, await keep());
      return true;
    });
  if (log.bytes === 0) return finish(() => Promise.resolve(null));
  return storing(ctx, 'job_logs', readAllChunks(ctx, job), { limit: MAX_BYTES }, (object) =>
    object.bytes === log.bytes ? finish(() => object.keep(ctx)) : Promise.resolve(false),
  );
}

/** Has the logs of jobs that are over sealed, where the job that should have done so was lost. @returns how many */
export async function resendSeals(ctx: Context): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - LOST_MS);
  const rows = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('job_logs as jl')
    .innerJoin('jobs as j', 'j.id', 'jl.job_id')
    .select('jl.job_id')
    .where('jl.sealed_at', 'is', null)
    .where('jl.updated_at', '<', before)
    .where((eb) => eb.not(eb('j.status', '=', anyOf(ALIVE_STATUSES, 'text'))))
    .orderBy('jl.updated_at')
    .limit(constant(BATCH))
    .execute();
  if (rows.length === 0) return 0;
  const seals = rows.map(({ job_id: id }) => ({ job_id: id }));
  await ctx.transaction(() => ctx.jobs.sendAll(sealJobLogs, seals));
  return rows.length;
}
