import { countKey } from '../../core/context/callers.js';
import type { Context, Services } from '../../core/context/context.js';
import { Overloaded, RateLimited } from '../../core/values/errors.js';
import { readQueueStates } from '../pg-boss/list-queues.js';
import type { QueueState } from '../pg-boss/list-queues.js';

/** Polling interval of a process while it has listeners, in milliseconds. */
const POLL_MS = 1_000;
/** The pause after a poll is this many times its duration, up to the promised update interval (2 s). */
const REST = 4;
const LONGEST_PAUSE_MS = 1_700;
/** Interval of comments that keep proxies from closing an idle connection. */
const HEARTBEAT_MS = 15_000;

/** Listeners of one process, and of one caller in it. */
export const FEED_LIMITS = { process: 200, caller: 10 };

type Queue = QueueState & { paused: boolean };

/** A listener: receives texts of the event stream, and its end. */
export interface FeedListener {
  send(text: string): void;
  end(): void;
}

const getEvent = (queues: readonly Queue[]): string => `event: queues\ndata: ${JSON.stringify(queues)}\n\n`;

/**
 * Publishes the state of the queues to listeners. One poll serves all listeners of a process; without listeners there
 * is no polling. A new listener first receives all queues, and then those that change.
 */
export class QueueFeed {
  readonly #listeners = new Map<FeedListener, string>();
  #serialized = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #notifiedAt = 0;
  #stopped = false;
  #first: Promise<Queue[]> | undefined;

  constructor(private readonly services: Pick<Services, 'db' | 'log'>) {}

  /** How many listen. */
  get size(): number {
    return this.#listeners.size;
  }

  /**
   * Adds a listener, starting with the current state of all queues.
   * @returns function that removes the listener
   * @throws Overloaded with too many listeners, RateLimited with too many of this caller
   */
  async join(ctx: Context, listener: FeedListener): Promise<() => void> {
    const key = countKey(ctx.caller, ctx.origin.ip);
    if (this.#stopped || this.#listeners.size >= FEED_LIMITS.process) throw new Overloaded(10);
    const own = [...this.#listeners.values()].filter((other) => other === key).length;
    if (own >= FEED_LIMITS.caller) throw new RateLimited(10);
    // Counted before anything is waited for.
    this.#listeners.set(listener, key);
    const leave = () => this.#leave(listener);
    try {
      listener.send(getEvent(await this.#firstStates()));
    } catch (error) {
      leave();
      throw error;
    }
    // A concurrent poll may have sent it newer data: the next poll sends everything again.
    this.#serialized.clear();
    if (this.#timer === undefined) this.#pollAfter(POLL_MS);
    return leave;
  }

  /** Read once for all who begin at the same time: after a restart every listener comes back within a second. */
  #firstStates(): Promise<Queue[]> {
    this.#first ??= readQueueStates(this.services.db).finally(() => {
      this.#first = undefined;
    });
    return this.#first;
  }

  #leave(listener: FeedListener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #poll(): Promise<void> {
    const started = performance.now();
    try {
      this.#sendChanges(await readQueueStates(this.services.db));
    } catch (error) {
      this.services.log.warn({ err: error }, 'the queues could not be looked at; tried again soon');
    }
    if (this.#listeners.size === 0) return;
    const pause = Math.min(Math.max(POLL_MS, (performance.now() - started) * REST), LONGEST_PAUSE_MS);
    this.#pollAfter(pause);
  }

  #pollAfter(milliseconds: number) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#poll(), milliseconds).unref();
  }

  #sendChanges(queues: readonly Queue[]) {
    const changed = queues.filter((queue) => this.#serialized.get(queue.name) !== JSON.stringify(queue));
    this.#serialized = new Map(queues.map((queue) => [queue.name, JSON.stringify(queue)]));
    const now = performance.now();
    if (changed.length === 0 && now - this.#notifiedAt < HEARTBEAT_MS) return;
    this.#notifiedAt = now;
    const text = changed.length === 0 ? ': \n\n' : getEvent(changed);
    for (const listener of this.#listeners.keys()) listener.send(text);
  }

  /** Ends all listeners and refuses new ones. */
  stop(): void {
    this.#stopped = true;
    for (const listener of this.#listeners.keys()) listener.end();
  }
}

const feeds = new WeakMap<Services['db'], QueueFeed>();

/** The feed of this process. */
export function getQueueFeed({ db, log }: Pick<Services, 'db' | 'log'>): QueueFeed {
  const feed = feeds.get(db) ?? new QueueFeed({ db, log });
  feeds.set(db, feed);
  return feed;
}
