/** How long the queries of one request may run, together (graphql.md section 2). */
export const TIME_LIMIT_MS = 30_000;

class TimeLimitExceeded extends Error {}

/** The time that a request has: over after 30 s, when its client is gone, and when it is answered. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #deadline: number;
  readonly #timer: NodeJS.Timeout;
  readonly #rejection: Promise<never>;

  /** @param outer ends it as well */
  constructor(outer?: AbortSignal, milliseconds = TIME_LIMIT_MS) {
    this.#deadline = performance.now() + milliseconds;
    this.#timer = setTimeout(() => this.end(), milliseconds).unref();
    const { signal } = this.#controller;
    this.#rejection = new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    // An unawaited rejection is not an error.
    this.#rejection.catch(() => undefined);
    if (outer?.aborted) this.end();
    outer?.addEventListener('abort', () => this.end(), { once: true, signal });
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time is up; also correct while the event loop is blocked and the timer cannot fire. */
  get over(): boolean {
    if (performance.now() > this.#deadline) this.end();
    return this.signal.aborted;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#controller.abort(new TimeLimitExceeded('The time of the request is over.'));
  }

  /** What `work` gives, or a rejection once the time is over. */
  within<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#rejection]);
  }
}
