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

/** A batch that takes longer also waits until its end is written down, before the queue is told. */
const WAITED_FOR_MS = 50;

/**
 * A job that comes wakes its queue; one whose time comes is found by the look of the process at all queues, each second.
 * Each queue for itself asks only in case both fail: with a hundred of them that would be most of what an idle worker does.
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
 * Runs a batch and writes down what became of it. The queue is told of jobs that failed; all others are completed by it
 * once this returns, with one statement, as long as they are still active: those that failed or were cancelled are not.
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
    // Many short jobs must not wait for what is written about them; whoever looks at one that failed finds why.
    if (ms > WAITED_FOR_MS || finishedAttempts.some(({ outcome }) => outcome !== 'completed')) await written;
    await failSome(boss, batch, finishedAttempts);
  } finally {
    running.end(batch);
  }
}

/** Has the queue try jobs again, or give them up, each with its own error; those that failed alike together. */
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

/** What is only written down must not fail a job. */
async function noted({ log }: OpenServices, { workerSlot }: JobBatch, write: () => Promise<void>): Promise<void> {
  await write().catch((error: unknown) =>
    log.error({ err: error, job: workerSlot.queue }, 'attempts were not recorded'),
  );
}

/** @param recurring sent by itself, whether there is anything to do or not: it says in its own line what it did */
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
