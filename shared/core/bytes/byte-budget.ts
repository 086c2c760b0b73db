import { Overloaded } from '../errors.js';

/** A part of a budget that some of those who use it have together, by a name of theirs. */
export interface Share {
  name: string;
  /** Bytes that all of the name may hold at once. */
  bytes: number;
}

const RETRY_AFTER_SECONDS = 5;
/** Bytes are counted in steps, so that what is small is counted once. */
const STEP_BYTES = 16 * 1024;

/** Bytes that a process may hold at once for one purpose, whoever they are for, and no more than a share for each. */
export class ByteBudget {
  #held = 0;
  readonly #shares = new Map<string, number>();

  constructor(private readonly total: number) {}

  /** Bytes that are held now. */
  get held(): number {
    return this.#held;
  }

  /** @throws Overloaded, holding nothing more, when the budget or a share is used up */
  hold(bytes: number, shares: readonly Share[]): void {
    const fits = this.#held + bytes <= this.total && shares.every((share) => this.#of(share) + bytes <= share.bytes);
    if (!fits) throw new Overloaded(RETRY_AFTER_SECONDS);
    this.add(bytes, shares);
  }

  /** Counts without asking; negative bytes are given back. */
  add(bytes: number, shares: readonly Share[]): void {
    this.#held += bytes;
    for (const share of shares) {
      const held = this.#of(share) + bytes;
      if (held > 0) this.#shares.set(share.name, held);
      else this.#shares.delete(share.name);
    }
  }

  #of({ name }: Share): number {
    return this.#shares.get(name) ?? 0;
  }
}

/** What one request holds of a budget, until it is released. */
export class Claim {
  #bytes = 0;
  #counted = 0;
  #released = false;

  constructor(
    private readonly budget: ByteBudget,
    private shares: readonly Share[],
  ) {}

  /** Holds more. After {@link release} nothing is counted. @throws Overloaded */
  take(bytes: number): void {
    const lacking = this.#bytes + bytes - this.#counted;
    if (lacking > 0 && !this.#released) {
      const step = Math.ceil(lacking / STEP_BYTES) * STEP_BYTES;
      this.budget.hold(step, this.shares);
      this.#counted += step;
    }
    this.#bytes += bytes;
  }

  /** Counts to other shares from now on, what is held already too: who asks is known only later. */
  moveTo(shares: readonly Share[]): void {
    this.budget.add(-this.#counted, this.shares);
    this.shares = shares;
    this.budget.add(this.#counted, shares);
  }

  /** Gives everything back, once. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.budget.add(-this.#counted, this.shares);
  }
}
