import { setTimeout as sleep } from 'node:timers/promises';
import { JobExecution } from './job-execution.js';
import type { Workplace } from './job-execution.js';
import { RejectedCall } from './protocol.js';
import type { JobPayload, ServiceClient } from './protocol.js';

/** How long running jobs may go on after a request to stop. */
const GRACE_MS = 30_000;
/** And how long the report of their end may take. */
const REPORT_MS = 10_000;
const PAUSE_MS = 2000;
/** A service that stays away is asked less and less often. */
const LONGEST_PAUSE_MS = 15_000;

/** Asks for jobs while it has room, and runs them. */
export class JobRunner {
  readonly #running = new Map<number, JobExecution>();
  readonly #polls = new AbortController();
  #stopping: Promise<void> | null = null;
  #wake: () => void = () => undefined;
  /** Grows while the service is away. */
  #pause = PAUSE_MS;

  /** @param concurrency how many jobs run at a time @param print gets what the operator should read */
  constructor(
    private readonly client: ServiceClient,
    private readonly workplace: Workplace,
    private readonly concurrency: number,
    private readonly print: (line: string) => void,
  ) {}

  /** Runs jobs until `stop`, or until the service refuses its token. @throws RejectedCall */
  async run(): Promise<void> {
    try {
      while (!this.#polls.signal.aborted) {
        const slot = this.#freeSlot();
        if (slot === null) await new Promise<void>((resolve) => (this.#wake = resolve));
        else await this.#poll(slot);
      }
    } finally {
      await this.stop();
    }
  }

  /** Takes no more jobs, gives those that run a while, and then interrupts them. */
  stop(graceMs = GRACE_MS): Promise<void> {
    this.#stopping ??= this.#stop(graceMs);
    return this.#stopping;
  }

  async #stop(graceMs: number): Promise<void> {
    this.#polls.abort();
    this.#wake();
    const timer = setTimeout(() => this.#running.forEach((job) => job.interrupt()), graceMs);
    // A service that is gone as well is not waited for.
    const isOver = sleep(graceMs + REPORT_MS, true, { ref: false });
    while (this.#running.size > 0)
      if (await Promise.race([isOver, new Promise<false>((resolve) => (this.#wake = () => resolve(false)))])) break;
    clearTimeout(timer);
  }

  async #poll(slot: number): Promise<void> {
    try {
      const job = await this.client.requestJob(this.#polls.signal);
      this.#pause = PAUSE_MS;
      if (job) this.#take(job, slot);
    } catch (error) {
      if (this.#polls.signal.aborted) return;
      if (error instanceof RejectedCall && error.status === 403) throw error;
      if (this.#pause === PAUSE_MS) this.print(`The service can't be asked for jobs: ${(error as Error).message}.`);
      await sleep(this.#pause, undefined, { signal: this.#polls.signal }).catch(() => undefined);
      this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
    }
  }

  #take(job: JobPayload, slot: number): void {
    try {
      const run = new JobExecution(this.client, job, this.workplace, slot);
      this.#running.set(slot, run);
      void run
        .run()
        .catch((error: unknown) => this.print(`Job ${job.id} was lost: ${(error as Error).message}`))
        .finally(() => {
          this.#running.delete(slot);
          this.#wake();
        });
    } catch (error) {
      this.print(`Job ${job.id} can't be run: ${(error as Error).message}`);
      const log = { checksum: 'crc32:00000000', bytesize: 0 };
      // Its end is accepted only once it has begun.
      void this.client
        .keepAlive(job)
        .then((response) => response.body?.cancel())
        .then(() => this.client.finish(job, { state: 'failed', failureReason: 'runner_system_failure' }, log))
        .catch(() => undefined);
    }
  }

  #freeSlot(): number | null {
    for (let slot = 0; slot < this.concurrency; slot += 1) if (!this.#running.has(slot)) return slot;
    return null;
  }
}
