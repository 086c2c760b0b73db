const immediate = () => new Promise<void>((resolve) => setImmediate(resolve));

/** So many are given in a turn of the event loop before the rest waits for the next ones. */
const AT_ONCE = 20;
/** How long the rest works before others have a turn. */
const TURN_MS = 5;

/**
 * Spreads the work on the nodes of an answer over turns of the event loop, so that a large answer does not stop other
 * requests. What the nodes need read is asked for in {@link Pace.settled}, when all of them had their turn.
 */
export class TurnScheduler {
  #valuesInTurn = 0;
  #waiting: (() => void)[] = [];
  #releasing = false;

  /** @param turn waits for a turn, which large answers of other requests take as well */
  constructor(readonly turn: () => Promise<void> | undefined) {}

  /** A value, at once or in a later turn. What is done with it right away is done in that turn. */
  give<T>(value: T): T | Promise<T> {
    if (this.#valuesInTurn === 0) setImmediate(() => (this.#valuesInTurn = 0));
    this.#valuesInTurn += 1;
    if (this.#valuesInTurn <= AT_ONCE && !this.#releasing) return value;
    const promise = new Promise<T>((resolve) => this.#waiting.push(() => resolve(value)));
    if (!this.#releasing) void this.#release();
    return promise;
  }

  /** Resolves when the event loop has turned and nothing waits for its turn any more. */
  async settled(): Promise<void> {
    do await immediate();
    while (this.#releasing);
  }

  async #release(): Promise<void> {
    this.#releasing = true;
    while (this.#waiting.length > 0) {
      const turn = this.#waiting;
      this.#waiting = [];
      for (let at = 0; at < turn.length;) {
        await immediate();
        await this.turn();
        for (const until = performance.now() + TURN_MS; at < turn.length && performance.now() < until; at += 1) {
          turn[at]?.();
          // Lets what waits for this one go on, so that its time is counted.
          await Promise.resolve();
        }
      }
    }
    this.#releasing = false;
  }
}
