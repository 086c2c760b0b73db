import { ClientGone, NoConnection } from './errors.js';

/** Who wants a connection. */
export interface Asker {
  /** Whom it counts for (`countKey`); null for the process itself. */
  readonly caller: string | null;
  /** Ends the wait, and the statement. */
  readonly signal?: AbortSignal;
}

/** The process itself, which nobody can make ask often. */
export const ITSELF: Asker = { caller: null };

interface Waiting {
  asker: Asker;
  goOn(): void;
}

/**
 * Hands out the places of a pool of connections, in order of arrival. One caller holds a part of them at most, so that
 * others find one; nobody waits for long, or for a client that is gone.
 */
export class Places {
  #free: number;
  readonly #held = new Map<string, number>();
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
    return this.#waiting.size;
  }

  /** Gives a place back. */
  leave({ caller }: Asker): void {
    this.#free += 1;
    if (caller !== null) {
      const held = (this.#held.get(caller) ?? 0) - 1;
      if (held > 0) this.#held.set(caller, held);
      else this.#held.delete(caller);
    }
    for (const waiting of this.#waiting) {
      if (!this.#hand(waiting.asker)) continue;
      waiting.goOn();
      return;
    }
  }

  #hand({ caller }: Asker): boolean {
    if (this.#free === 0) return false;
    if (caller !== null) {
      const held = this.#held.get(caller) ?? 0;
      if (held >= this.most) return false;
      this.#held.set(caller, held + 1);
    }
    this.#free -= 1;
    return true;
  }

  #wait(asker: Asker): Promise<void> {
    const { signal } = asker;
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', gone);
        this.#waiting.delete(waiting);
        settle();
      };
      const waiting = { asker, goOn: () => end(resolve) };
      const gone = () => end(() => reject(new ClientGone()));
      const timer = setTimeout(() => end(() => reject(new NoConnection())), this.patienceMs);
      signal?.addEventListener('abort', gone, { once: true });
      this.#waiting.add(waiting);
    });
  }
}
