import { randomUUID } from 'node:crypto';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import type { Services } from '../../../shared/core/context/context.js';
import { currentReads } from '../../../shared/core/database/driver/current-reads.js';
import { originOfJobs } from '../../../shared/core/values/job-context.js';
import type { Logger } from '../../../shared/core/log/log.js';
import { tracedJob } from '../../../shared/core/traces/tracing.js';
import type { Handler, HandlerOfBatch, HandlerOfOne } from '../../core/handler.js';
import { JobTimedOut } from '../../core/job-ends.js';
import { JobProcessExited } from './job-process.js';
import type { JobProcesses } from './job-processes.js';
import type { JobInHand } from './job-in-hand.js';

/** So many ids a log line names at most. */
const MAX_IDS = 20;

/**
 * A batch is aborted this share of its time before the queue's own timeout, which would fail completed jobs as well.
 */
const MARGIN_SHARE = 0.2;
const MARGIN_MS = 15_000;

/** A batch that takes longer hears of jobs that the queue takes away, which it does by its heartbeats. */
const LISTEN_AFTER_MS = 50;

/** Milliseconds until the jobs of a batch are aborted because their time is up. */
function getTime(jobs: readonly JobInHand[]): number {
  const ms = Math.max(...jobs.map(({ job }) => job.expireInSeconds)) * 1000;
  return ms - Math.min(ms * MARGIN_SHARE, MARGIN_MS);
}

/** The identity of a job in logs and errors, wherever it runs. */
type JobIdentity = Pick<JobInHand, 'id' | 'context'>;

/** What log lines say of jobs: id and correlation id, of many the first ones. */
export function loggedJobs(jobs: readonly JobIdentity[]) {
  const [first] = jobs;
  if (jobs.length === 1) return { job_id: first?.id, correlation_id: first?.context?.correlation_id };
  const correlations = [...new Set(jobs.flatMap(({ context }) => context?.correlation_id ?? []))];
  return {
    job_ids: jobs.slice(0, MAX_IDS).map(({ id }) => id),
    ...(correlations.length === 1
      ? { correlation_id: correlations[0] }
      : { correlation_ids: correlations.slice(0, MAX_IDS) }),
  };
}

/** The context of jobs that are done together. What they send is about what they agree on. */
function getContext(services: Services, handler: Handler, jobs: readonly JobIdentity[], signal?: AbortSignal): Context {
  const { kind } = handler;
  const job = originOfJobs(
    jobs.map(({ context }) => context),
    kind.name,
  );
  const statementSeconds = handler.longStatements ? kind.queue.expireInSeconds : undefined;
  const requestId = job.correlation_id || randomUUID();
  const origin = { requestId, ip: null, ...(signal && { signal }), statementSeconds, job };
  let log: Logger | undefined;
  // Most jobs log nothing, and a logger of their own is most of what their context would cost.
  const own = {
    ...services,
    get log() {
      return (log ??= services.log.child({
        job: kind.name,
        ...loggedJobs(jobs),
        correlation_id: job.correlation_id,
      }));
    },
  };
  return new Context(own, ANONYMOUS, origin);
}

/** Aborted once every job of a batch has ended early. */
function endOfAll(jobs: readonly JobInHand[]): AbortSignal {
  const all = new AbortController();
  const checkCancelled = () => {
    if (jobs.every(({ signal }) => signal.aborted)) all.abort(jobs[0]?.signal.reason);
  };
  for (const { signal } of jobs) signal.addEventListener('abort', checkCancelled, { once: true });
  checkCancelled();
  return all.signal;
}

/** Runs a job on this thread. */
export function runHere(
  services: Services,
  handler: HandlerOfOne<object>,
  job: JobIdentity & Pick<JobInHand, 'payload' | 'signal'>,
): Promise<void> {
  return tracedJob(handler.kind.name, 1, job.context?.traceparent ?? null, () =>
    currentReads.run({ reads: null }, () =>
      handler.handle(getContext(services, handler, [job], job.signal), job.payload),
    ),
  );
}

/** Runs a job in a separate process, and notifies its handler if that process exits early. */
async function runIsolated(
  services: Services,
  handler: HandlerOfOne<object>,
  job: JobInHand,
  processes: JobProcesses,
): Promise<void> {
  try {
    await processes.run(handler.kind, job);
  } catch (error) {
    if (error instanceof JobProcessExited && !job.signal.aborted)
      await handler.onProcessExit?.(getContext(services, handler, [job]), job.payload, error.message);
    throw error;
  }
}

async function runOneByOne(
  services: Services,
  handler: HandlerOfOne<object>,
  jobs: readonly JobInHand[],
  processes: JobProcesses | undefined,
) {
  for (const job of jobs)
    await job.run(() =>
      processes && handler.kind.isolated !== undefined
        ? runIsolated(services, handler, job, processes)
        : runHere(services, handler, job),
    );
}

/** The span that sent them all, if one did. */
function getParent(jobs: readonly JobInHand[]): string | null {
  const [first, ...more] = jobs.map(({ context }) => context?.traceparent ?? null);
  return first && more.every((one) => one === first) ? first : null;
}

async function runTogether(services: Services, handler: HandlerOfBatch<object>, jobs: readonly JobInHand[]) {
  const ctx = getContext(services, handler, jobs, endOfAll(jobs));
  const startedAt = performance.now();
  for (const job of jobs) job.startedAt = startedAt;
  const payloads = jobs.map(({ payload }) => payload);
  // All are over only when the last one is.
  const abandoned = Promise.all(jobs.map((job) => job.abandoned.catch((error: unknown) => error))).then(([error]) => {
    throw error;
  });
  try {
    ctx.signal.throwIfAborted();
    const work = () =>
      tracedJob(handler.kind.name, jobs.length, getParent(jobs), () => handler.handleBatch(ctx, payloads));
    const failed = (await Promise.race([work(), abandoned])) ?? [];
    for (const { index, error } of failed) jobs[index]?.settle({ error });
    for (const job of jobs) job.settle();
  } catch (error) {
    for (const job of jobs) job.settle({ error });
  }
}

/**
 * Runs a batch of jobs through its handler. Each job gets a separate outcome: one that fails, is canceled or never ends
 * does not affect the others. Never throws.
 * @param processes run jobs of isolated kinds; without them all jobs run on this thread
 */
export async function runBatch(
  services: Services,
  handler: Handler,
  jobs: readonly JobInHand[],
  processes?: JobProcesses,
): Promise<void> {
  const timer = setTimeout(() => {
    for (const job of jobs) job.end(new JobTimedOut('The time of the job is over.'));
  }, getTime(jobs));
  const listening = setTimeout(() => {
    for (const job of jobs) job.listenForAbort();
  }, LISTEN_AFTER_MS);
  try {
    if ('handleBatch' in handler) await currentReads.run({ reads: null }, () => runTogether(services, handler, jobs));
    else await runOneByOne(services, handler, jobs, processes);
  } finally {
    clearTimeout(timer);
    clearTimeout(listening);
  }
}
