import { performance } from 'node:perf_hooks';

/** The source of time for shared code. Never use `new Date()`: a process may have a wrong clock, a test a fixed one. */
export interface Clock {
  /** This instant by the database's clock, in whole milliseconds. */
  now(): Date;
}

/**
 * The database's time, stored as an offset to this process's monotonic clock, so that neither a wrong system clock nor
 * a change to it affects the time. Measure the offset again each minute: clocks drift.
 */
export class DatabaseClock implements Clock {
  #offsetMs: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** @param readDatabaseTime queries the database's time as milliseconds since 1970 */
  constructor(private readonly readDatabaseTime: () => Promise<number>) {}

  /** Measures the offset: the fastest of three attempts, minus half of its round trip. */
  async measure(): Promise<void> {
    let best = { roundTrip: Number.POSITIVE_INFINITY, offset: 0 };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const before = performance.now();
      const time = await this.readDatabaseTime();
      const after = performance.now();
      const roundTrip = after - before;
      if (roundTrip < best.roundTrip) best = { roundTrip, offset: time - (before + after) / 2 };
    }
    this.#offsetMs = best.offset;
  }

  /** Measures now and then every `intervalMs`; a failed later measurement keeps the last offset. */
  async start(onError: (error: unknown) => void, intervalMs = 60_000): Promise<void> {
    await this.measure();
    this.#timer = setInterval(() => void this.measure().catch(onError), intervalMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  now(): Date {
    if (this.#offsetMs === null) throw new Error('The database clock was asked before it was measured.');
    return new Date(Math.round(performance.now() + this.#offsetMs));
  }
}
