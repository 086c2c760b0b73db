interface Waiting {
  /** The lower, the earlier what waits began. */
  readonly order: number;
  readonly begin: () => void;
}

/**
 * Turns of the event loop, each assigned to one caller: many requests of one caller together do no more work in a turn
 * than one request may. Callers alternate; among one caller's requests the oldest runs first, so that it finishes and
 * releases its memory before the next allocates as much.
 */
export class Turns {
  readonly #callers = new Map<string, Waiting[]>();
  #isBusy = false;

  /** Waits for a turn of the caller; undefined, without waiting, if this turn is free. */
  take(caller: string, order: number): Promise<void> | undefined {
    if (!this.#isBusy) {
      this.#isBusy = true;
      setImmediate(() => this.#next());
      return undefined;
    }
    return new Promise((resolve) => {
      const waiting = this.#callers.get(caller) ?? [];
      const at = waiting.findIndex((other) => other.order > order);
      waiting.splice(at < 0 ? waiting.length : at, 0, { order, begin: resolve });
      this.#callers.set(caller, waiting);
    });
  }

  #next(): void {
    const [first] = this.#callers;
    if (!first) {
      this.#isBusy = false;
      return;
    }
    const [caller, [one, ...others]] = first;
    // To the end of the line.
    this.#callers.delete(caller);
    if (others.length > 0) this.#callers.set(caller, others);
    one?.begin();
    setImmediate(() => this.#next());
  }
}

/** The turns of this process. */
const turns = new Turns();
let begun = 0;

/** The turns of one request. */
export function getTurnTaker(caller: string, all = turns): () => Promise<void> | undefined {
  begun += 1;
  const order = begun;
  return () => all.take(caller, order);
}
