import { Worker } from 'node:worker_threads';

/** What a thread is told: a question, or what it wanted to know about one. */
export type ToThread<Q = unknown> = { id: number; question: Q } | { id: number; request: number; value: unknown };

/** What a thread says: an answer, why there is none, or what it wants to know first. */
export type FromThread<A = unknown> =
  | { id: number; answer: A }
  | { id: number; error: string }
  | { id: number; request: number; about: unknown };

/** A thread was ended because it took longer than allowed. */
export class ThreadTimeout extends Error {}

export interface AskOptions {
  /** Milliseconds, waiting included; then the thread is ended, with everything in it. No limit unless told. */
  timeoutMs?: number | undefined;
  /** Ends the thread early. */
  signal?: AbortSignal | undefined;
  /** Answers what the thread wants to know meanwhile, by what only this side can read. */
  onRequest?: (about: unknown) => Promise<unknown>;
}

interface Waiting<A> {
  resolve(answer: A): void;
  reject(error: Error): void;
  onRequest: AskOptions['onRequest'];
}

/**
 * A thread of its own for what keeps a core busy, so that this one goes on meanwhile. Its file answers by
 * `answerQuestions`. It is started when it is first asked, again after it ended, and keeps no process alive while it
 * has nothing to do.
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

  /** @throws ThreadTimeout, the reason of `signal`, what the thread throws, or why it ended */
  async ask(question: Q, { timeoutMs, signal, onRequest }: AskOptions = {}): Promise<A> {
    signal?.throwIfAborted();
    const worker = this.#start();
    const id = (this.#sequence += 1);
    const answer = new Promise<A>((resolve, reject) => this.#waiting.set(id, { resolve, reject, onRequest }));
    worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage({ id, question } satisfies ToThread<Q>);
    const late = new ThreadTimeout(`The thread that ${this.what} took longer than ${timeoutMs} ms.`);
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#end(worker, late), timeoutMs);
    const abort = () => this.#end(worker, signal?.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
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
        const value = await pending.onRequest?.(message.about);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        from.postMessage({ id: message.id, request: message.request, value } satisfies ToThread<Q>);
      } catch (error) {
        // Whoever asked is told; what the thread began it does not go on with.
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

  /** The thread is gone: whoever waits is told, and the next one starts another. */
  #abandon(gone: Worker, error: Error) {
    if (this.#worker !== gone) return;
    this.#worker = undefined;
    for (const pending of this.#waiting.values()) pending.reject(error);
    this.#waiting.clear();
  }
}
