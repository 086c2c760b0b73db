import { ClientGone, NoConnection } from '../values/errors.js';
import { Limiter } from '../values/limiter.js';

/** A requester of a connection. */
export interface Asker {
  /** The key that its connections count toward (`countKey`); null for the process itself. */
  readonly caller: string | null;
  /** Ends the wait, and the statement. */
  readonly signal?: AbortSignal;
  /** What its request has committed already: what makes the answer to that comes before others, and may wait for long. */
  readonly after?: { readonly committed: boolean };
}

/** The process itself; callers cannot increase its number of requests. */
export const ITSELF = { caller: null } as const satisfies Asker;

/** Factor by which requests that have already committed wait longer than others. */
const COMMITTED_TIMES = 10;
/** The process is considered stuck when no connection was returned for this many times the maximum wait. */
const STUCK_TIMES = 10;

/**
 * Controls access to the pool's connections, in order of arrival. A caller holds at most a share of them, so that
 * others get one; waits are bounded and end when the client disconnects. Requests that have committed something go
 * first.
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
   * Claims a connection; it is available immediately if nothing is returned.
   * @throws NoConnection after waiting too long, ClientGone if the client disconnected
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

  /** Whether all connections are in use, and none was returned for so long that none is likely to be. */
  get stuck(): boolean {
    return this.#limiter.fullMs > STUCK_TIMES * this.timeoutMs;
  }
}
