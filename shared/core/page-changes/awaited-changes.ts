/** Requests that each wait for one change, by kind and id: for example for the result of a job. */
export class AwaitedChanges {
  readonly #waiting = new Map<string, Set<() => void>>();
  #stopped = false;

  /**
   * Resolves once a change of this kind and id is reported, after `ms`, or when the signal is aborted: a notification
   * may have been missed.
   * @returns whether more changes can follow: false once the process shuts down
   */
  wait(kind: string, id: number, ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.#stopped || signal.aborted) return Promise.resolve(!this.#stopped);
    const key = `${kind} ${id}`;
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting);
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        waiting.delete(end);
        if (waiting.size === 0 && this.#waiting.get(key) === waiting) this.#waiting.delete(key);
        resolve(!this.#stopped);
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end, { once: true });
      waiting.add(end);
    });
  }

  hear(kind: string, ids: readonly number[]): void {
    if (this.#waiting.size === 0) return;
    for (const id of ids) for (const end of this.#waiting.get(`${kind} ${id}`) ?? []) end();
  }

  /** Ends all waits. */
  stop(): void {
    this.#stopped = true;
    for (const waiting of this.#waiting.values()) for (const end of waiting) end();
  }
}
