/** What waits for one change each, by kind and id: a request for what a job makes. */
export class AwaitedChanges {
  readonly #waiting = new Map<string, Set<() => void>>();
  #stopped = false;

  /**
   * Resolves once something of this kind and id is heard of, or after `ms`, or when the signal is aborted: what was said
   * may have been missed.
   * @returns whether more may be heard: false once the process ends
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

  /** Nobody waits any more. */
  stop(): void {
    this.#stopped = true;
    for (const waiting of this.#waiting.values()) for (const end of waiting) end();
  }
}
