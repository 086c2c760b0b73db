import { ClientGone, NoConnection } from '../values/errors.js';
import { Limiter } from '../values/limiter.js';

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

/** How much longer whoever answers for something that is committed waits than others do. */
const COMMITTED_TIMES = 10;
/** How many times as long as anybody waits no connection came back, when the process is taken for stuck. */
const STUCK_TIMES = 10;

/**
 * Who may take a connection of the pool, in order of arrival. One caller holds a part of them at most, so that others
 * find one; nobody waits for long, or for a client that is gone. Who has committed something goes first.
 */
export class PoolLimit {
  readonly #limiter: Limiter;

  /**
   * @param size how many connections there are
   * @param ofCaller how many of them one caller may hold at a time
   * @param timeoutMs how long to wait for one
   */
  constructor(
    size: number,
    private readonly ofCaller: number,
    private readonly timeoutMs: number,
  ) {
    const createError = (why: string) => (why === 'aborted' ? new ClientGone() : new NoConnection());
    this.#limiter = new Limiter({ capacity: size, createError });
  }

  /**
   * Takes one, at once where nothing is returned.
   * @throws NoConnection when there was none for too long, ClientGone when nobody waits for it any more
   */
  take({ caller, signal, after }: Asker): Promise<void> | undefined {
    const urgent = after?.committed === true;
    const shares = caller === null ? [] : [{ key: caller, limit: urgent ? Infinity : this.ofCaller }];
    const timeoutMs = urgent ? COMMITTED_TIMES * this.timeoutMs : this.timeoutMs;
    return this.#limiter.take(shares, { urgent, timeoutMs, signal });
  }

  /** Gives it back. */
  release({ caller }: Asker): void {
    this.#limiter.release(caller === null ? [] : [{ key: caller, limit: this.ofCaller }]);
  }

  /** How many wait for one. */
  get waiting(): number {
    return this.#limiter.waiting;
  }

  /** Whether all are taken, and none has come back for so long that none is likely to. */
  get stuck(): boolean {
    return this.#limiter.fullMs > STUCK_TIMES * this.timeoutMs;
  }
}
