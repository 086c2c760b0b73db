import type { JobResult, PgBoss } from 'pg-boss';
import { jobEnded } from '../../../shared/core/metrics/count.js';
import type { OpenServices } from '../../../shared/core/open-services.js';
import { recordEnd, recordStart } from '../../../shared/instance/queue-jobs/record-attempts.js';
import type { Handler } from '../../core/handler.js';
import type { FetchedJob, JobInHand } from './job-in-hand.js';
import { loggedJobs, runBatch } from './run-batch.js';
import type { Batch, RunningJobs } from './running-jobs.js';

/** Fetches for one handler until it is ended, one loop for each batch at a time. Answers by what it is ended. */
export function subscribe(
  services: OpenServices,
  boss: PgBoss,
  handler: Handler,
  running: RunningJobs,
): Promise<string> {
  const { kind, batchSize, concurrency = 1 } = handler;
  return boss.work<object>(
    kind.name,
    {
      batchSize,
      localConcurrency: concurrency,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 1,
      notifyPollingIntervalSeconds: 5,
      perJobResults: true,
    },
    (jobs: FetchedJob[]) => work(services, handler, running, jobs),
  );
}

/** Runs a batch and writes down what became of it. @returns what the queue is told of each job */
async function work(
  services: OpenServices,
  handler: Handler,
  running: RunningJobs,
  fetched: readonly FetchedJob[],
): Promise<JobResult[]> {
  const batch = running.begin(handler.kind.name, fetched);
  try {
    const now = services.clock.now();
    const mark = performance.now();
    const asked = batch.jobs.map(({ id, attempt }) => ({ id, attempt }));
    await noted(services, batch, () => recordStart(services.db, batch.place, asked, now));
    await runBatch(services, handler, batch.jobs);
    const ended = batch.jobs.map((job) => job.attemptAt(now.getTime(), mark));
    await noted(services, batch, () => recordEnd(services.db, batch.place, ended));
    tell(services, batch, (performance.now() - mark) / 1000);
    return batch.jobs.map((job, index) => ({
      id: job.id,
      status: job.outcome === 'completed' ? 'completed' : 'failed',
      output: ended[index]?.error ?? undefined,
    }));
  } finally {
    running.end(batch);
  }
}

/** What is only written down must not fail a job. */
async function noted({ log }: OpenServices, { place }: Batch, write: () => Promise<void>): Promise<void> {
  await write().catch((error: unknown) => log.error({ err: error, job: place.queue }, 'attempts were not recorded'));
}

function tell({ log }: OpenServices, { place, jobs }: Batch, seconds: number) {
  for (const { outcome } of jobs)
    jobEnded(place.queue, outcome === 'failed' || outcome === 'lost' ? 'failed' : 'done');
  for (const job of jobs) if (job.outcome !== 'completed') tellEnd(log, place.queue, job);
  const failed = jobs.filter(({ outcome }) => outcome !== 'completed').length;
  log.info({ job: place.queue, batch: jobs.length, failed, seconds, ...loggedJobs(jobs) }, 'job done');
}

function tellEnd(log: OpenServices['log'], queue: string, job: JobInHand) {
  const said = { job: queue, ...loggedJobs([job]), attempt: job.attempt, outcome: job.outcome };
  const { error_class: type, message, stack } = job.attemptAt(0, 0).error ?? {};
  if (job.outcome === 'failed') log.error({ ...said, err: { type, message, stack } }, 'job failed');
  else log.warn(said, 'job ended early');
}
