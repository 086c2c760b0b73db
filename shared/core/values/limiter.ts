/** What all who hold something under one key may hold of a limiter together. */
export interface Share {
  readonly key: string;
  readonly limit: number;
}

/** Why a waiter was rejected. */
export type RejectionReason = 'queue full' | 'timeout' | 'aborted';

interface LimiterOptions {
  /** How much may be held at once. */
  readonly capacity: number;
  /**
   * Maximum number of waiters. A further one is rejected, or replaces the last waiter of a queue that is longer than
   * its own.
   */
  readonly queueLimit?: number;
  /** Creates the error for a rejection; the reason of the signal by default. */
  readonly createError?: (why: RejectionReason, signal?: AbortSignal) => Error;
}

/** How much to claim, and how to wait for it. */
interface TakeOptions {
  /** How much of the capacity; 1 by default. */
  readonly weight?: number;
  /** Waiters of one queue continue in order of arrival; queues take turns. All are in one queue by default. */
  readonly queue?: string;
  /** Goes on before all others, and is not refused for a full queue. */
  readonly urgent?: boolean;
  /** Maximum wait in milliseconds; unlimited by default. */
  readonly timeoutMs?: number | undefined;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

interface Waiting {
  readonly shares: readonly Share[];
  readonly weight: number;
  goOn(): void;
  reject(why: RejectionReason): void;
}

type Queues = Map<string, Set<Waiting>>;

const NO_SHARES: readonly Share[] = [];

/**
 * Bounds concurrent work or held resources (decision 95): by its capacity, and by a share of it for each key. A request
 * that fits is granted immediately unless others wait for capacity; otherwise it waits or is rejected.
 */
export class Limiter {
  #capacity: number;
  readonly #queueLimit: number;
  readonly #createError: (why: RejectionReason, signal?: AbortSignal) => Error;
  #held = 0;
  #fullSince = 0;
  readonly #heldBy = new Map<string, number>();
  readonly #urgent: Queues = new Map();
  /** The queue whose turn is next comes first. */
  readonly #queues: Queues = new Map();
  #waiting = 0;
  /** Whether the next waiter waits for capacity only: lighter requests must not overtake it. */
  #blocked = false;

  constructor({ capacity, queueLimit = Infinity, createError }: LimiterOptions) {
    this.#capacity = capacity;
    this.#queueLimit = queueLimit;
    this.#createError = createError ?? ((why, signal) => (signal?.aborted ? (signal.reason as Error) : new Error(why)));
  }

  /** How much is held. */
  get held(): number {
    return this.#held;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** For how long, in milliseconds, all has been held without that anything came back; 0 where something is free. */
  get fullMs(): number {
    return this.#held >= this.#capacity ? performance.now() - this.#fullSince : 0;
  }

  /** Whether some waiter could continue with more capacity, because no share holds it back. */
  get lacksCapacity(): boolean {
    return [...this.#urgent.values(), ...this.#queues.values()].some((queue) => this.#nextOf(queue) !== undefined);
  }

  /** How much is held under a key. */
  heldBy(key: string): number {
    return this.#heldBy.get(key) ?? 0;
  }

  /** Changes the capacity; requests already granted keep their part. */
  resize(capacity: number): void {
    this.#capacity = capacity;
    this.#fullSince = performance.now();
    this.#goOn();
  }

  /** Claims it if it is available immediately. */
  tryTake(shares: readonly Share[] = NO_SHARES, weight = 1, urgent = false): boolean {
    if ((this.#blocked && !urgent) || this.#held + weight > this.#capacity || !this.#allows(shares, weight))
      return false;
    this.hold(shares, weight);
    return true;
  }

  /**
   * Takes it: at once where nothing is returned, else once the promise resolves.
   * @throws what `refuse` makes of a full queue, a timeout, an aborted signal
   */
  take(shares: readonly Share[] = NO_SHARES, options: TakeOptions = {}): Promise<void> | undefined {
    const { signal } = options;
    if (signal?.aborted) throw this.#createError('aborted', signal);
    return this.tryTake(shares, options.weight, options.urgent) ? undefined : this.#wait(shares, options);
  }

  /** Does something while it is held. @throws what {@link take} and `work` throw */
  async run<R>(work: () => Promise<R>, shares?: readonly Share[], options: TakeOptions = {}): Promise<R> {
    const waiting = this.take(shares, options);
    if (waiting) await waiting;
    try {
      return await work();
    } finally {
      this.release(shares, options.weight);
    }
  }

  /** Does something with each of them, with as many at once as there is capacity for. */
  map<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
    return Promise.all(items.map((item) => this.run(() => work(item))));
  }

  /** Counts it as held, even beyond the capacity. */
  hold(shares: readonly Share[], weight = 1): void {
    this.#count(shares, weight);
    if (this.#held >= this.#capacity) this.#fullSince = performance.now();
  }

  /** Releases a claim with these shares and this weight. */
  release(shares: readonly Share[] = NO_SHARES, weight = 1): void {
    this.#count(shares, -weight);
    if (this.#waiting > 0) this.#goOn();
  }

  #count(shares: readonly Share[], change: number): void {
    this.#held += change;
    for (const { key } of shares) {
      const held = this.heldBy(key) + change;
      if (held > 0) this.#heldBy.set(key, held);
      else this.#heldBy.delete(key);
    }
  }

  #allows(shares: readonly Share[], weight: number): boolean {
    for (const { key, limit } of shares) if (this.heldBy(key) + weight > limit) return false;
    return true;
  }

  /** The first waiter that no share holds back. */
  #nextOf(queue: ReadonlySet<Waiting>): Waiting | undefined {
    for (const one of queue) if (this.#allows(one.shares, one.weight)) return one;
    return undefined;
  }

  #wait(shares: readonly Share[], options: TakeOptions): Promise<void> {
    const { weight = 1, queue: name = '', urgent = false, timeoutMs, signal } = options;
    if (!urgent) this.#makeRoom(name, signal);
    const queues = urgent ? this.#urgent : this.#queues;
    const queue = queues.get(name) ?? new Set();
    queues.set(name, queue);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        queue.delete(one);
        if (queue.size === 0) queues.delete(name);
        this.#waiting -= 1;
      };
      const one: Waiting = {
        shares,
        weight,
        goOn: () => {
          leave();
          resolve();
        },
        reject: (why) => {
          leave();
          reject(this.#createError(why, signal));
          if (this.#blocked) this.#goOn();
        },
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => one.reject('timeout'), timeoutMs);
      const abort = () => one.reject('aborted');
      signal?.addEventListener('abort', abort, { once: true });
      queue.add(one);
      this.#waiting += 1;
      this.#blocked ||= this.#allows(shares, weight);
    });
  }

  /** The longest queue makes room: a flood in one must not keep others from waiting at all. */
  #makeRoom(name: string, signal: AbortSignal | undefined): void {
    if (this.#waiting < this.#queueLimit) return;
    let longest: ReadonlySet<Waiting> | undefined;
    for (const queue of this.#queues.values()) if (queue.size > (longest?.size ?? 0)) longest = queue;
    const own = this.#queues.get(name)?.size ?? 0;
    if (!longest || longest.size <= own + 1) throw this.#createError('queue full', signal);
    [...longest].at(-1)!.reject('queue full');
  }

  /** Lets waiters continue as far as possible; a queue moves to the end after its turn. */
  #goOn(): void {
    this.#blocked = false;
    for (const queues of [this.#urgent, this.#queues]) {
      for (const [name, queue] of queues) {
        if (this.#held >= this.#capacity) return;
        const next = this.#nextOf(queue);
        if (!next) continue;
        if (this.#held + next.weight > this.#capacity) {
          this.#blocked = true;
          return;
        }
        this.hold(next.shares, next.weight);
        next.goOn();
        if (queue.size === 0) continue;
        queues.delete(name);
        queues.set(name, queue);
      }
    }
  }
}
