import { ClientGone, Overloaded } from '../core/values/errors.js';
import { Limiter } from '../core/values/limiter.js';

export interface PoolLimits {
  /** Processes at the same time; of one caller; of one repository. */
  concurrency: number;
  perCaller: number;
  perProject: number;
  /** Most that wait. Beyond it, of those who wait most often the last one is refused. */
  waiting: number;
  /** Milliseconds that one waits. */
  waitMs: number;
  /** Maximum runtime of a process in milliseconds; null leaves it to the command. */
  runMs: number | null;
}

/** The caller and repository of a process: the shares of a pool are counted by both. */
export interface SlotOwner {
  caller: string;
  /** Path of the repository. */
  project: string;
}

/** Seconds after which a refused caller may well find room. */
export const RETRY_AFTER_SECONDS = 5;

/**
 * Slots for git processes of one kind in this process. Waiting callers take turns, however many processes each of them
 * requests, and neither one caller nor one repository holds more than its share.
 */
export class SlotPool {
  readonly #limiter: Limiter;

  constructor(readonly limits: PoolLimits) {
    this.#limiter = new Limiter({
      capacity: limits.concurrency,
      queueLimit: limits.waiting,
      createError: (why) => (why === 'aborted' ? new ClientGone() : new Overloaded(RETRY_AFTER_SECONDS)),
    });
  }

  /** How many processes run, and how many wait. */
  get load(): { running: number; waiting: number } {
    return { running: this.#limiter.held, waiting: this.#limiter.waiting };
  }

  /**
   * Waits for a slot, and answers what gives it back.
   * @throws Overloaded after `waitMs`, and at once where too many wait; ClientGone with `signal`
   */
  async take({ caller, project }: SlotOwner, signal?: AbortSignal): Promise<() => void> {
    const shares = [
      { key: `c ${caller}`, limit: this.limits.perCaller },
      { key: `p ${project}`, limit: this.limits.perProject },
    ];
    await this.#limiter.take(shares, { queue: caller, timeoutMs: this.limits.waitMs, signal });
    let held = true;
    return () => {
      if (held) this.#limiter.release(shares);
      held = false;
    };
  }
}
