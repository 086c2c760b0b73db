import { countKey } from '../../core/context/callers.js';
import type { Context, Services } from '../../core/context/context.js';
import { Overloaded, RateLimited } from '../../core/values/errors.js';
import { readQueueStates } from '../pg-boss/list-queues.js';
import type { QueueState } from '../pg-boss/list-queues.js';

/** How often one process looks at the queues while anybody listens, in milliseconds. */
const POLL_MS = 1_000;
/** A poll that takes long makes the pause after it longer by so many times, up to what is promised (2 s). */
const REST = 4;
const LONGEST_PAUSE_MS = 1_700;
/** A comment goes out at least so often, so that nobody between takes the connection for dead. */
const HEARTBEAT_MS = 15_000;

/** Listeners of one process, and of one caller in it. */
export const FEED_LIMITS = { process: 200, caller: 10 };

type Queue = QueueState & { paused: boolean };

/** One who listens: told texts of the event stream, and its end. */
export interface FeedListener {
  send(text: string): void;
  end(): void;
}

const eventOf = (queues: readonly Queue[]): string => `event: queues\ndata: ${JSON.stringify(queues)}\n\n`;

/**
 * How the queues stand, told to those who listen. One poll serves all listeners of a process; nobody listens, nobody
 * looks. Who begins to listen is told of all queues, and from then on of those that changed.
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
   * Begins to tell a listener, with how all queues stand now.
   * @returns ends it
   * @throws Overloaded when too many listen, RateLimited when too many of this caller do
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
      listener.send(eventOf(await this.#firstStates()));
    } catch (error) {
      leave();
      throw error;
    }
    // A poll may have told it of something newer meanwhile: the next one tells everything again.
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
    const text = changed.length === 0 ? ': \n\n' : eventOf(changed);
    for (const listener of this.#listeners.keys()) listener.send(text);
  }

  /** Ends every listener; nobody can begin to listen any more. */
  stop(): void {
    this.#stopped = true;
    for (const listener of this.#listeners.keys()) listener.end();
  }
}

const feeds = new WeakMap<Services['db'], QueueFeed>();

/** The feed of this process. */
export function queueFeedOf({ db, log }: Pick<Services, 'db' | 'log'>): QueueFeed {
  const feed = feeds.get(db) ?? new QueueFeed({ db, log });
  feeds.set(db, feed);
  return feed;
}
