import { getOutage } from '../values/database-errors.js';

/** The connections that may fail, each reported separately. */
export type OutageKind = 'database' | 'connections';

const MESSAGES: Record<OutageKind, { began: string; recovered: string }> = {
  database: { began: 'the database does not answer', recovered: 'the database answers again' },
  connections: {
    began: 'all connections to the database are taken',
    recovered: 'connections to the database are free again',
  },
};

/**
 * An outage is over once something works and nothing has failed for so long, in milliseconds: who waits for a connection
 * fails only after three seconds.
 */
const QUIET_MS: Record<OutageKind, number> = { database: 3_000, connections: 10_000 };

/** How often an outage is checked for recovery, in milliseconds. */
const POLL_MS = 750;

interface Outage {
  readonly since: number;
  failedAt: number;
  /** Whether something has worked since it failed last. */
  works: boolean;
  failures: number;
}

/** Writes a line of the log. */
interface OutageLog {
  error(values: object, message: string): void;
  info(values: object, message: string): void;
}

/** The kind of outage that a log line reports, by its error, including errors already serialized to a plain object. */
export function outageIn(fields: unknown): OutageKind | null {
  const err = (fields as { err?: unknown } | undefined)?.err;
  if (typeof err !== 'object' || err === null) return null;
  if ((err as { type?: unknown }).type === 'NoConnection') return 'database';
  return getOutage(err);
}

/**
 * Tracks the outages of a process, so that its log has one line when an outage begins and one when it is over, however
 * often it causes errors in between.
 */
export class Outages {
  readonly #open = new Map<OutageKind, Outage>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: OutageLog,
    private readonly quietMs?: number,
  ) {}

  /** Whether there is any. */
  get open(): boolean {
    return this.#open.size > 0;
  }

  /** Notes a failure; the first one of an outage is written. */
  failed(kind: OutageKind, err: unknown): void {
    const now = performance.now();
    const outage = this.#open.get(kind);
    if (outage) {
      outage.failedAt = now;
      outage.works = false;
      outage.failures += 1;
      return;
    }
    this.#open.set(kind, { since: now, failedAt: now, works: false, failures: 1 });
    this.#timer ??= setInterval(() => this.#poll(), (this.quietMs ?? POLL_MS * 4) / 4).unref();
    this.log.error({ err, outage: kind }, MESSAGES[kind].began);
  }

  /** Notes that what was away works. */
  works(kind: OutageKind): void {
    const outage = this.#open.get(kind);
    if (outage) outage.works = true;
  }

  #poll(): void {
    const now = performance.now();
    for (const [kind, { since, failedAt, works, failures }] of this.#open) {
      if (!works || now - failedAt < (this.quietMs ?? QUIET_MS[kind])) continue;
      this.#open.delete(kind);
      const seconds = Math.round((failedAt - since) / 100) / 10;
      this.log.info({ outage: kind, seconds, failures }, MESSAGES[kind].recovered);
    }
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
