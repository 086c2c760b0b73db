import type { Clock } from '../../shared/core/values/clock.js';

const UNITS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** A clock that stands still until a test moves it. */
export class TestClock implements Clock {
  #now: number;

  constructor(start = '2030-01-01T00:00:00.000Z') {
    this.#now = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.#now);
  }

  set(instant: string): void {
    this.#now = new Date(instant).getTime();
  }

  /** `advance('1 day')`, `advance('90 minutes')`. */
  advance(by: string): void {
    const [, count, unit] = /^(\d+) (second|minute|hour|day)s?$/.exec(by) ?? [];
    if (!count || !unit) throw new Error(`Not a duration: ${by}`);
    this.#now += Number(count) * UNITS[unit as keyof typeof UNITS];
  }
}
