import { Worker } from 'node:worker_threads';

/** A message to a thread: a question, or data that it requested for one. */
export type ToThread<Q = unknown> = { id: number; question: Q } | { id: number; request: number; value: unknown };

/** A message from a thread: an answer, an error, or a request for data it needs first. */
export type FromThread<A = unknown> =
  | { id: number; answer: A }
  | { id: number; error: string }
  | { id: number; request: number; about: unknown };

/** A thread was ended because it took longer than allowed. */
export class ThreadTimeout extends Error {}

export interface AskOptions {
  /** Milliseconds, including waiting; then the thread is terminated, with everything in it. No limit by default. */
  timeoutMs?: number | undefined;
  /** Milliseconds of work of its own, without the time in which it waits for data that it requested. */
  workMs?: number | undefined;
  /** Ends the thread early. */
  signal?: AbortSignal | undefined;
  /** Answers requests of the thread with data that only this side can read. */
  onRequest?: (about: unknown) => Promise<unknown>;
}

interface Waiting<A> {
  resolve(answer: A): void;
  reject(error: Error): void;
  onRequest: AskOptions['onRequest'];
  work: WorkTimer;
}

/** Limits how long a thread works on a question: it stands still while data is fetched for the thread. */
class WorkTimer {
  #timer: NodeJS.Timeout | undefined;
  #leftMs: number;
  #resumedAt = 0;
  #requests = 0;

  constructor(
    limitMs: number,
    private readonly end: () => void,
  ) {
    this.#leftMs = limitMs;
    this.#resume();
  }

  #resume() {
    if (this.#leftMs === Infinity) return;
    this.#resumedAt = performance.now();
    this.#timer = setTimeout(this.end, this.#leftMs);
  }

  #pause() {
    clearTimeout(this.#timer);
    this.#leftMs -= performance.now() - this.#resumedAt;
  }

  async during<T>(fetch: () => Promise<T>): Promise<T> {
    if (this.#requests === 0) this.#pause();
    this.#requests += 1;
    try {
      return await fetch();
    } finally {
      this.#requests -= 1;
      if (this.#requests === 0) this.#resume();
    }
  }

  stop() {
    this.#leftMs = Infinity;
    clearTimeout(this.#timer);
  }
}

/**
 * A separate thread for CPU-intensive work, so that the calling thread is not blocked. Its file answers with
 * `answerQuestions`. It starts on the first question, and again after it ended, and does not keep the process alive
 * while idle.
 */
export class Thread<Q, A> {
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, Waiting<A>>();
  #sequence = 0;

  /**
   * @param file what it runs
   * @param what it does, for messages: "hashes passwords"
   * @param memoryMiB most that its objects may take; more ends the thread, not the process
   */
  constructor(
    private readonly file: URL,
    private readonly what: string,
    private readonly memoryMiB?: number,
  ) {}

  /** @throws ThreadTimeout, the reason of `signal`, errors thrown in the thread, or the reason it ended */
  async ask(question: Q, { timeoutMs, workMs, signal, onRequest }: AskOptions = {}): Promise<A> {
    signal?.throwIfAborted();
    const worker = this.#start();
    const id = (this.#sequence += 1);
    const endAfter = (ms: number | undefined) =>
      this.#end(worker, new ThreadTimeout(`The thread that ${this.what} took longer than ${ms} ms.`));
    const work = new WorkTimer(workMs ?? Infinity, () => endAfter(workMs));
    const answer = new Promise<A>((resolve, reject) => this.#waiting.set(id, { resolve, reject, onRequest, work }));
    worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage({ id, question } satisfies ToThread<Q>);
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => endAfter(timeoutMs), timeoutMs);
    const abort = () => this.#end(worker, signal?.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      work.stop();
      signal?.removeEventListener('abort', abort);
    }
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const limits = this.memoryMiB === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: this.memoryMiB } };
    const started = new Worker(this.file, limits);
    started.on('message', (message: FromThread<A>) => void this.#hear(started, message));
    started.on('error', (error: Error) => this.#abandon(started, error));
    started.on('exit', () => this.#abandon(started, new Error(`The thread that ${this.what} ended.`)));
    this.#worker = started;
    return started;
  }

  async #hear(from: Worker, message: FromThread<A>) {
    const pending = this.#waiting.get(message.id);
    if (!pending) return;
    if ('request' in message) {
      try {
        const value = await pending.work.during(async () => pending.onRequest?.(message.about));
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        from.postMessage({ id: message.id, request: message.request, value } satisfies ToThread<Q>);
      } catch (error) {
        // The caller gets the error; the thread does not continue with the question.
        if (this.#waiting.has(message.id)) this.#end(from, error as Error);
      }
      return;
    }
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) from.unref();
    if ('answer' in message) pending.resolve(message.answer);
    else pending.reject(new Error(message.error));
  }

  #end(worker: Worker, error: Error) {
    this.#abandon(worker, error);
    void worker.terminate();
  }

  /** The thread has ended: pending questions are rejected, and the next question starts another thread. */
  #abandon(gone: Worker, error: Error) {
    if (this.#worker !== gone) return;
    this.#worker = undefined;
    for (const pending of this.#waiting.values()) pending.reject(error);
    this.#waiting.clear();
  }
}
