import { ClientGone, NoConnection } from './errors.js';

/** Who wants a connection. */
export interface Asker {
  /** Whom it counts for (`countKey`); null for the process itself. */
  readonly caller: string | null;
  /** Ends the wait, and the statement. */
  readonly signal?: AbortSignal;
  /** What its request has committed already: what makes the answer to that comes before others, and may wait for long. */
  readonly after?: { readonly committed: boolean };
}

/** The process itself, which nobody can make ask often. */
export const ITSELF = { caller: null } as const satisfies Asker;

interface Waiting {
  asker: Asker;
  goOn(): void;
}

/** How much longer whoever answers for something that is committed waits than others do. */
const COMMITTED_TIMES = 10;
/** How many times as long as anybody waits no connection came back, when the process is taken for stuck. */
const STUCK_TIMES = 10;

/**
 * Hands out the places of a pool of connections, in order of arrival. One caller holds a part of them at most, so that
 * others find one; nobody waits for long, or for a client that is gone. Who has committed something goes first.
 */
export class Places {
  #free: number;
  /** When a place was last given back, or all were free. */
  #movedAt = performance.now();
  readonly #held = new Map<string, number>();
  readonly #first = new Set<Waiting>();
  readonly #waiting = new Set<Waiting>();

  /**
   * @param size how many there are
   * @param most how many one caller may hold at a time
   * @param patienceMs how long to wait for one
   */
  constructor(
    size: number,
    private readonly most: number,
    private readonly patienceMs: number,
  ) {
    this.#free = size;
  }

  /**
   * Takes a place, at once where nothing is returned.
   * @throws NoConnection when there was none for too long, ClientGone when nobody waits for it any more
   */
  take(asker: Asker): Promise<void> | undefined {
    if (asker.signal?.aborted) throw new ClientGone();
    return this.#hand(asker) ? undefined : this.#wait(asker);
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waiting.size + this.#first.size;
  }

  /** Whether all places are taken, and none has come back for so long that none is likely to. */
  get stuck(): boolean {
    return this.#free === 0 && performance.now() - this.#movedAt > STUCK_TIMES * this.patienceMs;
  }

  /** Gives a place back. */
  leave({ caller }: Asker): void {
    this.#free += 1;
    this.#movedAt = performance.now();
    if (caller !== null) {
      const held = (this.#held.get(caller) ?? 0) - 1;
      if (held > 0) this.#held.set(caller, held);
      else this.#held.delete(caller);
    }
    if (!this.#goOn(this.#first)) this.#goOn(this.#waiting);
  }

  #goOn(those: ReadonlySet<Waiting>): boolean {
    for (const waiting of those) {
      if (!this.#hand(waiting.asker)) continue;
      waiting.goOn();
      return true;
    }
    return false;
  }

  #hand({ caller, after }: Asker): boolean {
    if (this.#free === 0) return false;
    if (caller !== null) {
      const held = this.#held.get(caller) ?? 0;
      if (held >= this.most && after?.committed !== true) return false;
      this.#held.set(caller, held + 1);
    }
    if (this.#free === 1) this.#movedAt = performance.now();
    this.#free -= 1;
    return true;
  }

  #wait(asker: Asker): Promise<void> {
    const { signal } = asker;
    const committed = asker.after?.committed === true;
    const those = committed ? this.#first : this.#waiting;
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', gone);
        those.delete(waiting);
        settle();
      };
      const waiting = { asker, goOn: () => end(resolve) };
      const gone = () => end(() => reject(new ClientGone()));
      const patience = committed ? COMMITTED_TIMES * this.patienceMs : this.patienceMs;
      const timer = setTimeout(() => end(() => reject(new NoConnection())), patience);
      signal?.addEventListener('abort', gone, { once: true });
      those.add(waiting);
    });
  }
}
