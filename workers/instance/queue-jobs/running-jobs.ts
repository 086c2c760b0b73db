import type { Logger } from '../../../shared/core/log/log.js';
import type { WorkerSlot } from '../../../shared/instance/pg-boss/record-attempts.js';
import { JobInHand } from './job-in-hand.js';
import type { FetchedJob } from './job-in-hand.js';

/** The process as the database knows it. */
export interface WorkerIdentity {
  readonly id: number;
  /** As in `host:4711`. */
  readonly name: string;
}

/** Jobs that are worked on together. */
export interface JobBatch {
  readonly workerSlot: WorkerSlot;
  readonly jobs: readonly JobInHand[];
}

const getKey = ({ queue, slot }: WorkerSlot) => `${slot} ${queue}`;

/** The batches that the process is running. */
export class RunningJobs {
  readonly #batches = new Set<JobBatch>();
  /** The pending writes of records, by the slot of the batch. */
  readonly #records = new Map<string, Promise<void>>();
  readonly #slots = new Map<string, Set<number>>();

  /** The identity of this worker: it gets another id after its old one was declared lost. */
  worker: WorkerIdentity = { id: 0, name: '' };

  begin(queue: string, fetched: readonly FetchedJob[]): JobBatch {
    const { id, name } = this.worker;
    const workerSlot = { worker_id: id, worker: name, queue, slot: this.#takeSlot(queue) };
    const batch = { workerSlot, jobs: fetched.map((job) => new JobInHand(job)) };
    this.#batches.add(batch);
    return batch;
  }

  end(batch: JobBatch): void {
    this.#batches.delete(batch);
    this.#slots.get(batch.workerSlot.queue)?.delete(batch.workerSlot.slot);
  }

  /** Tracks the pending write of a batch's record. @param written never rejects */
  record(workerSlot: WorkerSlot, written: Promise<void>): void {
    this.#records.set(getKey(workerSlot), written);
  }

  /** Resolves once everything so far is written down: about one slot, or all of them. */
  async recorded(workerSlot?: WorkerSlot): Promise<void> {
    if (workerSlot) await this.#records.get(getKey(workerSlot));
    else await Promise.all(this.#records.values());
  }

  /** The lowest that is free: there are few even where a queue was paused and resumed while batches ran. */
  #takeSlot(queue: string): number {
    const slots = this.#slots.get(queue) ?? new Set();
    this.#slots.set(queue, slots);
    let slot = 0;
    while (slots.has(slot)) slot += 1;
    slots.add(slot);
    return slot;
  }

  /** Jobs that are not done yet, with their queues. */
  get inHand(): { queue: string; job: JobInHand }[] {
    return [...this.#batches].flatMap(({ workerSlot, jobs }) =>
      jobs.filter((job) => !job.over).map((job) => ({ queue: workerSlot.queue, job })),
    );
  }

  /** Ends all that is in hand early. */
  endAll(reason: Error, log: Logger): void {
    const { inHand } = this;
    if (inHand.length > 0) log.warn({ jobs: inHand.length, reason: reason.message }, 'jobs in hand are ended');
    for (const { job } of inHand) job.end(reason);
  }
}
