import { ClientGone, Overloaded } from '../core/errors.js';

export interface LaneLimits {
  /** Processes at the same time; of one caller; of one repository. */
  atOnce: number;
  perCaller: number;
  perProject: number;
  /** Most that wait. Beyond it, of those who wait most often the last one is refused. */
  waiting: number;
  /** Milliseconds that one waits. */
  waitMs: number;
  /** Milliseconds that a process may take; null leaves it to what is run. */
  runMs: number | null;
}

/** For whom a process runs: the shares of a lane are counted by both. */
export interface SlotOwner {
  caller: string;
  /** Path of the repository. */
  project: string;
}

interface Waiting {
  owner: SlotOwner;
  start: () => void;
  refuse: (reason: Error) => void;
}

/** Seconds after which a refused caller may well find room. */
export const RETRY_AFTER_SECONDS = 5;

/**
 * Slots for git processes of one kind in this process. Callers who wait take turns, however much each of them asks
 * for, and neither one caller nor one repository holds more than its part.
 */
export class Lane {
  #running = 0;
  #waiting = 0;
  readonly #held = new Map<string, number>();
  /** By caller, whose turn comes first in front. None of them fits now: what fits is started at once. */
  readonly #queues = new Map<string, Waiting[]>();

  constructor(readonly limits: LaneLimits) {}

  /** How many processes run, and how many wait. */
  get load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  /**
   * Waits for a slot, and answers what gives it back.
   * @throws Overloaded after `waitMs`, and at once where too many wait; ClientGone with `signal`
   */
  async take(owner: SlotOwner, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw new ClientGone();
    if (this.#fits(owner)) this.#hold(owner, 1);
    else await this.#wait(owner, signal);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#hold(owner, -1);
      this.#startNext();
    };
  }

  #fits({ caller, project }: SlotOwner): boolean {
    const { atOnce, perCaller, perProject } = this.limits;
    const held = (key: string) => this.#held.get(key) ?? 0;
    return this.#running < atOnce && held(`c ${caller}`) < perCaller && held(`p ${project}`) < perProject;
  }

  #hold({ caller, project }: SlotOwner, change: 1 | -1): void {
    this.#running += change;
    for (const key of [`c ${caller}`, `p ${project}`]) {
      const count = (this.#held.get(key) ?? 0) + change;
      if (count === 0) this.#held.delete(key);
      else this.#held.set(key, count);
    }
  }

  #wait(owner: SlotOwner, signal?: AbortSignal): Promise<void> {
    this.#makeRoom(owner.caller);
    return new Promise((resolve, reject) => {
      const settle = (settled: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        this.#remove(entry);
        settled();
      };
      const entry: Waiting = {
        owner,
        start: () => settle(resolve),
        refuse: (reason) => settle(() => reject(reason)),
      };
      const leave = () => entry.refuse(new ClientGone());
      const timer = setTimeout(() => entry.refuse(new Overloaded(RETRY_AFTER_SECONDS)), this.limits.waitMs);
      signal?.addEventListener('abort', leave, { once: true });
      const queue = this.#queues.get(owner.caller);
      if (queue) queue.push(entry);
      else this.#queues.set(owner.caller, [entry]);
      this.#waiting += 1;
    });
  }

  #remove(entry: Waiting): void {
    const queue = this.#queues.get(entry.owner.caller)!;
    queue.splice(queue.indexOf(entry), 1);
    if (queue.length === 0) this.#queues.delete(entry.owner.caller);
    this.#waiting -= 1;
  }

  /** Whoever asks for most makes room: a flood of one caller must not keep others from waiting at all. */
  #makeRoom(caller: string): void {
    if (this.#waiting < this.limits.waiting) return;
    const own = this.#queues.get(caller)?.length ?? 0;
    let longest: Waiting[] = [];
    for (const queue of this.#queues.values()) if (queue.length > longest.length) longest = queue;
    const refused = new Overloaded(RETRY_AFTER_SECONDS);
    if (longest.length <= own + 1) throw refused;
    longest.at(-1)!.refuse(refused);
  }

  /** Starts what fits now; a caller whose turn it was goes to the end. */
  #startNext(): void {
    for (const [caller, queue] of this.#queues) {
      if (this.#running >= this.limits.atOnce) return;
      const next = queue.find(({ owner }) => this.#fits(owner));
      if (!next) continue;
      this.#hold(next.owner, 1);
      next.start();
      if (queue.length === 0) continue;
      this.#queues.delete(caller);
      this.#queues.set(caller, queue);
    }
  }
}
