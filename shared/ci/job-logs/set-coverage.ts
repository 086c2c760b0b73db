import { buffer } from 'node:stream/consumers';
import type { Context } from '../../core/context/context.js';
import type { CiDatabase } from '../ci.entities.js';
import { logUnreadable, readDefinition } from '../processing/job-definition.js';
import { lockPipelines, requestProcessing } from '../processing/request-processing.js';
import { findCoverage } from './find-coverage.js';
import { findReadableLog, openLog } from './read-log.js';
import type { LogKey } from './job-log.finder.js';
import type { ReadableLog } from './read-log.js';

/** Bytes of a log that are searched at a time. */
const PART_BYTES = 512 * 1024;

async function* readBackwards(ctx: Context, job: LogKey, log: ReadableLog): AsyncGenerator<Buffer> {
  for (let end = log.bytes - 1; end >= 0; end -= PART_BYTES) {
    ctx.signal.throwIfAborted();
    yield buffer(await openLog(ctx, job, log, { start: Math.max(0, end - PART_BYTES + 1), end }));
  }
}

/** The pattern by which a job finds its coverage; null if it has none or it cannot be read, or if the coverage is known. */
async function findPattern(ctx: Context, jobId: number) {
  const row = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('jobs as j')
    .innerJoin('job_definitions as d', 'd.id', 'j.definition_id')
    .select(['j.pipeline_id', 'd.definition'])
    .where('j.id', '=', jobId)
    .where('j.coverage', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  const definition = readDefinition(ctx, row.pipeline_id, row.definition);
  if (!definition) logUnreadable(ctx, jobId);
  const pattern = definition?.coverage;
  return pattern ? { pattern, pipelineId: row.pipeline_id } : null;
}

/** Reads the coverage of a job that is over from its log, if its configuration says how. Done twice, it does no harm. */
export async function setCoverage(ctx: Context, job: LogKey): Promise<void> {
  const found = await findPattern(ctx, job.id);
  const log = found && (await findReadableLog(ctx, job));
  if (!log || log.bytes === 0) return;
  const coverage = await findCoverage(found.pattern, readBackwards(ctx, job, log));
  if (coverage === null) return;
  await ctx.transaction(async () => {
    await lockPipelines(ctx, [found.pipelineId]);
    await ctx.em.getKysely<CiDatabase>().updateTable('jobs').set({ coverage }).where('id', '=', job.id).execute();
    await requestProcessing(ctx, [found.pipelineId]);
  });
}
