import type { Context } from '../../core/context/context.js';
import { boolean, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { Forbidden } from '../../core/values/errors.js';
import { fullRefName } from '../../repositories/repositories/ref-records.js';
import { job } from '../jobs/job.finder.js';
import type { JobRecord } from '../jobs/job.finder.js';
import { mayRunOnRef } from '../pipelines/pipeline-rights.js';
import { eraseLog, jobLogPolicy } from './erase-log.js';
import { findReadableLog } from './read-log.js';
import type { ReadableLog } from './read-log.js';

/** A log to be answered, not opened yet. */
export interface RequestedLog {
  job: JobRecord;
  /** None was written, or it was erased. */
  log: ReadableLog | null;
  /** The caller wants it as it grows. */
  live: boolean;
}

/**
 * A log that may show values of variables is for those who may run the job again with other variables.
 * @throws Forbidden
 */
async function requireDebugAccess(ctx: Context, { project, pipeline }: JobRecord): Promise<void> {
  const ref = fullRefName(pipeline.tag ? 'tag' : 'branch', pipeline.ref);
  if (!(await mayRunOnRef(ctx, project, ref))) throw new Forbidden();
}

/** Read the log of a job, whole or in ranges, or follow it while it is written. */
export const getJobLog = operation({
  name: 'getJobLog',
  summary: 'Read the log of a job',
  resource: job,
  authentication: 'open',
  kind: 'read',
  statements: 6,
  params: {
    follow: withDefault(boolean(), false).describe(
      'If `true`, a client that accepts `text/event-stream` receives the log as it grows.',
    ),
  },
  async run(ctx, found, input): Promise<RequestedLog> {
    const log = await findReadableLog(ctx, found);
    if (log?.debug_trace) await requireDebugAccess(ctx, found);
    return { job: found, log, live: input.follow };
  },
});

/** Erase the log of a job. The job itself stays. */
export const eraseJob = operation({
  name: 'eraseJob',
  summary: 'Erase the log of a job',
  resource: job,
  can: can(jobLogPolicy, 'erase_job'),
  kind: 'write',
  run: eraseLog,
});
