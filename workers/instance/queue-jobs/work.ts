import type { PgBoss } from 'pg-boss';
import { countJobAttempt } from '../../../shared/core/metrics/count.js';
import type { OpenServices } from '../../../shared/core/context/open-services.js';
import { recordEnd, recordStart } from '../../../shared/instance/pg-boss/record-attempts.js';
import type { FinishedAttempt } from '../../../shared/instance/pg-boss/record-attempts.js';
import type { Handler } from '../../core/handler.js';
import type { JobProcesses } from './job-processes.js';
import type { FetchedJob, JobInHand } from './job-in-hand.js';
import { loggedJobs, runBatch } from './run-batch.js';
import type { JobBatch, RunningJobs } from './running-jobs.js';

/** After a batch that takes longer, its record is awaited before its outcome is reported to the queue. */
const WAITED_FOR_MS = 50;

/**
 * A new job wakes its queue; a job that becomes due is found by the process's poll of all queues, each second. The
 * polls of each queue are only needed if both fail: with a hundred queues they would be most of an idle worker's load.
 */
const BACKSTOP_SECONDS = 300;

/** Fetches for one handler until it is ended, one loop for each batch at a time. Answers by what it is ended. */
export function subscribe(
  services: OpenServices,
  boss: PgBoss,
  handler: Handler,
  running: RunningJobs,
  processes?: JobProcesses,
): Promise<string> {
  const { kind, batchSize, concurrency = 1 } = handler;
  return boss.work<object>(
    kind.name,
    {
      batchSize,
      localConcurrency: concurrency,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: BACKSTOP_SECONDS,
      notifyPollingIntervalSeconds: BACKSTOP_SECONDS,
    },
    (jobs: FetchedJob[]) => work(services, boss, handler, running, processes, jobs),
  );
}

/**
 * Runs a batch and records its outcome. Failed jobs are reported to the queue; it completes all others once this
 * returns, with one statement, if they are still active, which failed or canceled jobs are not.
 */
async function work(
  services: OpenServices,
  boss: PgBoss,
  handler: Handler,
  running: RunningJobs,
  processes: JobProcesses | undefined,
  fetched: readonly FetchedJob[],
): Promise<void> {
  const batch = running.begin(handler.kind.name, fetched);
  try {
    // The batch before it in the same slot is written down by now, unless the database is slow.
    await running.recorded(batch.workerSlot);
    const now = services.clock.now();
    const mark = performance.now();
    const attempts = batch.jobs.map(({ id, attempt }) => ({ id, attempt }));
    const begun = noted(services, batch, () => recordStart(services.db, batch.workerSlot, attempts, now));
    await runBatch(services, handler, batch.jobs, processes);
    const ms = performance.now() - mark;
    const finishedAttempts = batch.jobs.map((job) => job.attemptAt(now.getTime(), mark));
    const written = begun.then(() =>
      noted(services, batch, () => recordEnd(services.db, batch.workerSlot, finishedAttempts)),
    );
    running.record(batch.workerSlot, written);
    reportBatch(services, batch, ms / 1000, handler.kind.everySeconds !== undefined);
    // Many short jobs must not wait for their records; for a failed job, the reason is available as soon as the failure
    // is.
    if (ms > WAITED_FOR_MS || finishedAttempts.some(({ outcome }) => outcome !== 'completed')) await written;
    await failSome(boss, batch, finishedAttempts);
  } finally {
    running.end(batch);
  }
}

/** Lets the queue retry jobs or give up on them, each with its own error; those with equal errors together. */
async function failSome(
  boss: PgBoss,
  { workerSlot, jobs }: JobBatch,
  finishedAttempts: readonly FinishedAttempt[],
): Promise<void> {
  const failed = jobs.flatMap((job, index) =>
    job.outcome === 'completed' ? [] : [{ job, error: finishedAttempts[index]?.error ?? null }],
  );
  for (const [, alike] of Map.groupBy(failed, ({ error }) => JSON.stringify(error)))
    await boss.fail(
      workerSlot.queue,
      alike.map(({ job }) => ({ id: job.id, retryCount: job.attempt - 1 })),
      alike[0]?.error,
    );
}

/** A failed record must not fail a job. */
async function noted({ log }: OpenServices, { workerSlot }: JobBatch, write: () => Promise<void>): Promise<void> {
  await write().catch((error: unknown) =>
    log.error({ err: error, job: workerSlot.queue }, 'attempts were not recorded'),
  );
}

/** @param recurring sent on a schedule, even if there is nothing to do: the job logs its own result */
function reportBatch({ log }: OpenServices, { workerSlot, jobs }: JobBatch, seconds: number, recurring: boolean) {
  for (const { outcome } of jobs)
    countJobAttempt(workerSlot.queue, outcome === 'failed' || outcome === 'lost' ? 'failed' : 'done');
  for (const job of jobs) if (job.outcome !== 'completed') logJobEnd(log, workerSlot.queue, job);
  const failed = jobs.filter(({ outcome }) => outcome !== 'completed').length;
  const level = recurring && failed === 0 ? 'debug' : 'info';
  log[level]({ job: workerSlot.queue, batch: jobs.length, failed, seconds, ...loggedJobs(jobs) }, 'job done');
}

function logJobEnd(log: OpenServices['log'], queue: string, job: JobInHand) {
  const said = { job: queue, ...loggedJobs([job]), attempt: job.attempt, outcome: job.outcome };
  const { error_class: type, message, stack } = job.attemptAt(0, 0).error ?? {};
  if (job.outcome === 'failed') log.error({ ...said, err: { type, message, stack } }, 'job failed');
  else log.warn(said, 'job ended early');
}
