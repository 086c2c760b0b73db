import { integer, object, oneOf, optional, text, wholeNumber } from '../../core/operations/fields.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { operation } from '../../core/operations/operation.js';
import { Conflict, Invalid } from '../../core/values/errors.js';
import { checkLog } from '../job-logs/check-log.js';
import { findPatchInterval, getPatchInterval } from '../job-logs/patch-interval.js';
import { acknowledgeJob, renewAcknowledgement } from '../job-handouts/acknowledge-job.js';
import { endJobs } from '../processing/end-jobs.js';
import { lockPipelines } from '../processing/request-processing.js';
import { readFailureReason } from '../runner-protocol/failure-reasons.js';
import { isRunAlive, lockRun, rejectEndedJob } from '../runner-protocol/find-run.js';
import type { FoundRun } from '../runner-protocol/find-run.js';
import { noteJobContact } from '../runner-protocol/note-contact.js';
import { reportedJob } from './reported-job.js';

const STATES = ['pending', 'running', 'success', 'failed'] as const;
/** Seconds until a runner that has sent the end of a job, and not all of the log, is to ask again. */
const ASK_AGAIN_SECONDS = 1;
const MAX_EXIT_CODE = 2 ** 31 - 1;

/** The answer to an update. */
export interface JobUpdate {
  /** 200; 202: ask again, the log is incomplete; 412: send all of the log again. */
  readonly status: 200 | 202 | 412;
  /** State of the job, from which its runner learns of a cancel. */
  readonly job_status: string;
  /** Seconds until the runner is to send something again. */
  readonly interval: number;
}

interface Report {
  state: (typeof STATES)[number];
  failure_reason?: string | undefined;
  exit_code?: number | undefined;
  output?: { checksum?: string | undefined; bytesize?: number | undefined } | undefined;
}

/** A code that the column holds. */
const readExitCode = (code: number | undefined): number | null =>
  code === undefined ? null : Math.min(Math.max(code, 0), MAX_EXIT_CODE);

const createAnswer = async (ctx: Context<Caller>, run: FoundRun, status: string): Promise<JobUpdate> => ({
  status: 200,
  job_status: status,
  interval: await findPatchInterval(ctx, run),
});

/** A job that its runner has not acknowledged: it says now that it has it, or that it is still preparing itself. */
async function acknowledge(ctx: Context<Caller>, run: FoundRun, { state }: Report): Promise<JobUpdate> {
  if (state === 'pending') {
    if (!(await renewAcknowledgement(ctx, run))) throw new Conflict('409 Conflict');
    return createAnswer(ctx, run, 'pending');
  }
  const isAcknowledged = state === 'running' && (await acknowledgeJob(ctx, run));
  if (!isAcknowledged) throw new Invalid('400 Bad request - Job does not wait for that state');
  return createAnswer(ctx, run, 'running');
}

/** A job that runs goes on. */
async function keepAlive(ctx: Context<Caller>, run: FoundRun, { state }: Report): Promise<JobUpdate> {
  if (state === 'pending') throw new Conflict('409 Conflict');
  await noteJobContact(ctx, ctx.services, run);
  return createAnswer(ctx, run, run.job.status);
}

/** The end of a job, which is locked. Its log is first compared with what the runner says of it. */
async function end(ctx: Context<Caller>, run: FoundRun, { state, output, ...report }: Report): Promise<JobUpdate> {
  const { id, project_id, pipeline_id, status } = run.job;
  const log = await checkLog(ctx, { id, project_id }, output ?? {});
  if (log !== 'complete') {
    await noteJobContact(ctx, ctx.services, run);
    return { status: log === 'mismatch' ? 412 : 202, job_status: status, interval: ASK_AGAIN_SECONDS };
  }
  const ended = status === 'canceling' ? 'canceled' : state === 'success' ? 'success' : 'failed';
  await endJobs(ctx, [
    {
      job_id: id,
      pipeline_id,
      status: ended,
      failure_reason: ended === 'failed' ? readFailureReason(report.failure_reason) : null,
      exit_code: readExitCode(report.exit_code),
    },
  ]);
  return { status: 200, job_status: ended, interval: getPatchInterval(ctx, run, false) };
}

/** Report how far a job is, from the runner that has it. A final state is final. */
export const updateJobOfRunner = operation({
  name: 'updateJobOfRunner',
  summary: 'Report the state of a job',
  resource: reportedJob,
  authentication: 'open',
  kind: 'write',
  statements: 16,
  params: {
    state: oneOf(STATES).describe('State of the job: `running` again and again, and at last `success` or `failed`.'),
    failure_reason: optional(text()).describe('Reason of the failure, such as `script_failure`.'),
    exit_code: optional(integer()).describe('Exit code of the script.'),
    output: optional(
      object({ checksum: optional(text()), bytesize: optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)) }),
    ).describe('Checksum and size of the log: `crc32:` and eight hexadecimal digits.'),
  },
  async run(ctx, found, report): Promise<JobUpdate> {
    const { job } = found;
    const isFinal = report.state === 'success' || report.state === 'failed';
    if (job.status === 'pending') return acknowledge(ctx, found, report);
    if (!isFinal) return keepAlive(ctx, found, report);
    await lockPipelines(ctx, [job.pipeline_id]);
    // A cancel may have come before the lock.
    const locked = await lockRun(ctx, found);
    if (!locked || !isRunAlive(locked)) throw rejectEndedJob(locked?.job ?? job);
    return end(ctx, locked, report);
  },
});
