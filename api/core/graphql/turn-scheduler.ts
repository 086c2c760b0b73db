const immediate = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Number of values delivered in a turn of the event loop before the rest waits for later turns. */
const AT_ONCE = 20;
/** How long the rest works before others have a turn. */
const TURN_MS = 5;

/**
 * Spreads the work on the nodes of a response over turns of the event loop, so that a large response does not block
 * other requests. Reads for the nodes are sent in {@link Pace.settled}, once all nodes had their turn.
 */
export class TurnScheduler {
  #valuesInTurn = 0;
  #waiting: (() => void)[] = [];
  #releasing = false;

  /** @param turn waits for a turn, which large answers of other requests take as well */
  constructor(readonly turn: () => Promise<void> | undefined) {}

  /** Returns a value, at once or in a later turn. Synchronous work with it runs in that turn. */
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
