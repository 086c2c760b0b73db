import { Overloaded } from '../values/errors.js';
import type { Limiter, Share } from '../values/limiter.js';

const RETRY_AFTER_SECONDS = 5;
/** Bytes are counted in steps, so that small amounts are counted only once. */
const STEP_BYTES = 16 * 1024;

/** What one request holds of the bytes of a limiter, until it is released. It never waits for them. */
export class Claim {
  #bytes = 0;
  #counted = 0;
  #released = false;

  constructor(
    private readonly limiter: Limiter,
    private shares: readonly Share[],
  ) {}

  /** Holds more. After {@link release} nothing is counted. @throws Overloaded, without holding more, at the limit */
  take(bytes: number): void {
    const lacking = this.#bytes + bytes - this.#counted;
    if (lacking > 0 && !this.#released) {
      const step = Math.ceil(lacking / STEP_BYTES) * STEP_BYTES;
      if (!this.limiter.tryTake(this.shares, step)) throw new Overloaded(RETRY_AFTER_SECONDS);
      this.#counted += step;
    }
    this.#bytes += bytes;
  }

  /** Counts toward other shares from now on, including the bytes already held: the caller is only known later. */
  moveTo(shares: readonly Share[]): void {
    this.limiter.release(this.shares, this.#counted);
    this.shares = shares;
    this.limiter.hold(shares, this.#counted);
  }

  /** Gives everything back, once. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.limiter.release(this.shares, this.#counted);
    this.#counted = 0;
  }
}
