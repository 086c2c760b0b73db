import type { AttemptOutcome, FinishedAttempt } from '../../../shared/instance/pg-boss/record-attempts.js';
import { getJobError, secretsIn } from '../../../shared/instance/pg-boss/job-error.js';
import { splitPayload } from '../../../shared/core/values/job-context.js';
import { JobCancelled, JobLost, JobTimedOut } from '../../core/job-ends.js';
import type { JobContext } from '../../../shared/core/values/job-context.js';

/** A job as the queue hands it out. */
export interface FetchedJob {
  readonly id: string;
  readonly data: object;
  readonly retryCount: number;
  readonly expireInSeconds: number;
  /** Aborted when the queue takes it away. */
  readonly signal?: AbortSignal;
}

/** So long after its signal a handler that does not obey is waited for. What it still does then counts for nothing. */
const GRACE_MS = 5_000;
const GRACE_SHARE = 0.1;

/** One attempt of one job, from the fetch until its outcome is reported to the queue. */
export class JobInHand {
  readonly id: string;
  /** From 1. */
  readonly attempt: number;
  readonly payload: object;
  readonly context: JobContext | null;
  /** Milliseconds of the monotonic clock. */
  startedAt = 0;
  finishedAt = 0;
  outcome: AttemptOutcome = 'failed';
  error: unknown = null;
  #reason: unknown = null;
  #over = false;
  #listens = false;
  readonly #controller = new AbortController();
  readonly #abandoned = Promise.withResolvers<never>();
  #grace: NodeJS.Timeout | undefined;
  readonly #onAbort = () => this.#endByQueue();

  constructor(readonly job: FetchedJob) {
    this.id = job.id;
    this.attempt = job.retryCount + 1;
    ({ payload: this.payload, context: this.context } = splitPayload(job.data));
    // Without it, a rejection before the first await would be an unhandled error.
    this.#abandoned.promise.catch(() => undefined);
    if (job.signal?.aborted) this.#endByQueue();
  }

  /**
   * Ends it from now on at once when the queue takes it away. To listen to a signal that follows others costs as much
   * as all else that is done about a short job, so that is for those that take a while.
   */
  listenForAbort(): void {
    if (this.#over) return;
    if (this.job.signal?.aborted) this.#endByQueue();
    else this.job.signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#listens = true;
  }

  /** Aborted when the job is canceled, claimed by another worker, or its time is up. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get over(): boolean {
    return this.#over;
  }

  /** Rejects a while after the signal, for those who wait for a handler that does not obey it. */
  get abandoned(): Promise<never> {
    return this.#abandoned.promise;
  }

  #endByQueue() {
    const reason: unknown = this.job.signal?.reason;
    // When the queue itself aborts a batch, the reason is only a generic AbortError.
    const timeout = reason instanceof DOMException && reason.name === 'AbortError';
    this.end(timeout ? new JobTimedOut('The time of the job is over.') : new JobLost('The queue took the job away.'));
  }

  /** Ends it early: its handler is aborted, and abandoned after a grace period. */
  end(reason: unknown): void {
    if (this.#over) return;
    // That it was cancelled explains why the queue took it.
    if (this.#reason === null || reason instanceof JobCancelled) this.#reason = reason;
    if (this.signal.aborted) return;
    this.#controller.abort(reason);
    const graceMs = Math.min(GRACE_MS, this.job.expireInSeconds * 1000 * GRACE_SHARE);
    this.#grace = setTimeout(() => this.#abandoned.reject(reason), graceMs);
  }

  /** Does its work, and notes how it ended. Never throws. */
  async run(work: () => Promise<void>): Promise<void> {
    this.startedAt = performance.now();
    try {
      this.signal.throwIfAborted();
      await Promise.race([work(), this.abandoned]);
      this.settle();
    } catch (error) {
      this.settle({ error });
    }
  }

  /** Notes how it ended; later ends change nothing. */
  settle(failure?: { error: unknown }): void {
    if (this.#over) return;
    if (this.job.signal?.aborted) this.#endByQueue();
    this.#over = true;
    this.finishedAt = performance.now();
    clearTimeout(this.#grace);
    if (this.#listens) this.job.signal?.removeEventListener('abort', this.#onAbort);
    this.error = failure?.error ?? null;
    if (this.#reason instanceof JobCancelled) this.outcome = 'cancelled';
    else if (this.#reason instanceof JobLost) this.outcome = 'lost';
    else this.outcome = failure ? 'failed' : 'completed';
  }

  /** As it is stored. @param now the clock's time, in milliseconds since 1970, at `mark` of the monotonic one */
  attemptAt(now: number, mark: number): FinishedAttempt {
    const at = (time: number) => new Date(now + Math.round(time - mark));
    const { outcome, error, payload } = this;
    return {
      job_id: this.id,
      attempt: this.attempt,
      started_at: at(this.startedAt),
      ended_at: at(this.finishedAt),
      outcome,
      error: outcome === 'completed' || error === null ? null : getJobError(error, secretsIn(payload)),
    };
  }
}
