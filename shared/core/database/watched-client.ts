import type { Duplex } from 'node:stream';
import pg from 'pg';
import { asConnectionError, LostConnection } from './connection-errors.js';

/** How much longer than the server itself allows a statement to take its answer may be on its way. */
const MARGIN_MS = 5_000;
/** Time after which the system probes whether a silent host still exists. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** What pg's client has and its types do not say. */
interface Internals {
  connection: { stream: Duplex };
  connectionParameters: { statement_timeout?: number | string | false };
  /** Whether no statement is under way. */
  readyForQuery?: boolean;
}

/** Options of this client in addition to pg's. */
export interface WatchedConfig extends pg.ClientConfig {
  /** Instead of the usual margin, in milliseconds. */
  answerMarginMs?: number;
}

/**
 * A connection that does not outlast its server. The server cancels a statement at its time limit, but when packets are
 * lost the client is not notified: a statement without an answer for somewhat longer than that limit closes the
 * connection.
 */
export class WatchedClient extends pg.Client {
  readonly #marginMs: number;
  #allowedMs: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  #timerMs = 0;
  #lost = false;
  #sentAt = 0;

  constructor(config?: WatchedConfig | string) {
    super(config);
    this.#marginMs = (typeof config === 'object' ? config.answerMarginMs : undefined) ?? MARGIN_MS;
    const lost = () => {
      this.#lost = true;
      clearTimeout(this.#timer);
    };
    // Also keeps an error without other listeners from ending the process.
    this.on('error', lost);
    this.on('end', lost);
  }

  /** Whether the connection has ended: no statement can be sent on it any more. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Milliseconds since something was last sent. */
  get quietMs(): number {
    return performance.now() - this.#sentAt;
  }

  /** Allows statements to take as long as the server's current time limit; null restores the limit of the session. */
  allow(milliseconds: number | null): void {
    this.#allowedMs = milliseconds;
  }

  /** Ends the connection at once, and what runs on it with an error. */
  cut(why: string): void {
    this.#internals.connection.stream.destroy(new LostConnection(why));
  }

  /** Starts waiting for the answer to the statement being sent. */
  #watch(): void {
    this.#sentAt = performance.now();
    const limit = this.#allowedMs ?? Number(this.#internals.connectionParameters.statement_timeout || 0);
    if (limit === 0 || this.#lost) return;
    const delayMs = limit + this.#marginMs;
    if (this.#timer && this.#timerMs === delayMs) {
      this.#timer.refresh();
      return;
    }
    clearTimeout(this.#timer);
    this.#timerMs = delayMs;
    this.#timer = setTimeout(() => this.#poll(), delayMs).unref();
  }

  #poll(): void {
    this.#timer = undefined;
    if (this.#internals.readyForQuery !== true) this.cut('timeout: the database did not answer a statement');
  }

  get #internals(): Internals {
    return this as unknown as Internals;
  }

  override connect = ((callback?: (error: unknown) => void) => {
    if (callback) return super.connect((error: unknown) => callback(error && asConnectionError(error)));
    return super.connect().catch((error: unknown) => {
      throw asConnectionError(error);
    });
  }) as pg.Client['connect'];

  // The overloads of pg's query() are many; ours forwards all of them.
  override query = ((...args: unknown[]) => this.send(args)) as pg.Client['query'];

  /** Sends what reads its own answer. */
  protected submit(query: pg.Submittable): void {
    this.#watch();
    super.query(query);
  }

  /** Sends by pg's `query`, in any of its forms. */
  protected send(args: unknown[]): unknown {
    this.#watch();
    const last = args.findLastIndex((argument) => typeof argument === 'function');
    const callback = args[last] as ((error: unknown, result: unknown) => void) | undefined;
    const own = callback
      ? args.with(last, (error: unknown, result: unknown) => callback(error && asConnectionError(error), result))
      : args;
    const result: unknown = Reflect.apply(super.query, this, own);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      throw asConnectionError(error);
    });
  }
}
