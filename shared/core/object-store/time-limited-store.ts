import { StoreUnavailable } from './object-store.js';
import type { ByteRange, ListedObject, ObjectStore } from './object-store.js';

/** More than two tries of a call to S3 take. */
const TIMEOUT_MS = 50_000;

/**
 * Wraps another store so that no call waits longer than a time limit for the store itself: a disk or server that does
 * not respond counts as unavailable. The time for content to arrive, or to be read, does not count.
 */
export class TimeLimitedStore implements ObjectStore {
  /** @param timeoutMs milliseconds that the store may take for a piece of its work */
  constructor(
    private readonly store: ObjectStore,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  async put(key: string, content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void> {
    const watch = new Watch(this.timeoutMs);
    const ends = signal ? AbortSignal.any([signal, watch.signal]) : watch.signal;
    const writing = this.store.put(key, watch.between(content), ends);
    // An object stored after the timeout has no owner.
    void writing.then(
      () => (watch.signal.aborted ? this.store.remove([key]).catch(() => undefined) : undefined),
      () => undefined,
    );
    return watch.over(writing);
  }

  get(key: string, range?: ByteRange, signal?: AbortSignal) {
    const opening = this.store.get(key, range, signal);
    const watch = new Watch(this.timeoutMs);
    void opening.then(
      ({ content }) => (watch.signal.aborted ? void content.destroy() : undefined),
      () => undefined,
    );
    return watch.over(opening);
  }

  remove(keys: readonly string[]): Promise<void> {
    return new Watch(this.timeoutMs).over(this.store.remove(keys));
  }

  async *list(): AsyncGenerator<readonly ListedObject[]> {
    const pages = this.store.list()[Symbol.asyncIterator]();
    for (;;) {
      const page = await new Watch(this.timeoutMs).over(pages.next());
      if (page.done) return;
      yield page.value;
    }
  }

  sweepUnfinished(time: Date): Promise<number> {
    return new Watch(this.timeoutMs).over(this.store.sweepUnfinished(time));
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

/** Counts the time that a store takes, from its making on. */
class Watch {
  readonly #stalled = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly timeoutMs: number) {
    this.#start();
  }

  get signal(): AbortSignal {
    return this.#stalled.signal;
  }

  #start(): void {
    this.#timer = setTimeout(() => {
      const cause = new Error(`The object store did nothing for ${this.timeoutMs} ms`);
      this.#stalled.abort(new StoreUnavailable({ cause }));
    }, this.timeoutMs);
  }

  /**
   * Passes content through without counting its arrival: only the store's work between two pieces, and after the last
   * one, counts.
   */
  async *between(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    clearTimeout(this.#timer);
    try {
      for await (const piece of content) {
        this.#start();
        yield piece;
        clearTimeout(this.#timer);
      }
    } finally {
      clearTimeout(this.#timer);
    }
    this.#start();
  }

  /** The result of a call, if it arrives in time. @throws StoreUnavailable */
  async over<T>(call: Promise<T>): Promise<T> {
    const { signal } = this;
    let stall = () => {};
    const stalled = new Promise<never>((_resolve, reject) => (stall = () => reject(signal.reason as Error)));
    signal.addEventListener('abort', stall, { once: true });
    try {
      return await Promise.race([call, stalled]);
    } finally {
      clearTimeout(this.#timer);
      signal.removeEventListener('abort', stall);
    }
  }
}
