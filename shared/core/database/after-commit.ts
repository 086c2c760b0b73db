import type { PooledConnection, HeldConnection } from './held-connection.js';

/** A connection that is kept for the answer, and of which nobody has use for so long, goes back to the pool. */
const IDLE_MS = 100;

/**
 * What a request has of the database once it has committed something: the connection of its transaction, for the reads
 * that make the answer and for the next transaction, so that what is done is also answered as done (decision 91).
 */
export class AfterCommit {
  #committed = false;
  #isOver = false;
  #connection: HeldConnection | null = null;
  #reading = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  /** Whether anything was committed. */
  get committed(): boolean {
    return this.#committed;
  }

  /** Notes a commit, and keeps its connection. */
  keep(connection: HeldConnection): void {
    this.#committed = true;
    if (this.#isOver || this.#connection || connection.client.lost) return connection.release();
    this.#connection = connection;
    this.#waitIdle();
  }

  /** Takes the kept connection for something else; none where there is none, or somebody reads on it. */
  take(): HeldConnection | undefined {
    const connection = this.#connection;
    if (!connection || this.#reading > 0) return undefined;
    this.#connection = null;
    clearTimeout(this.#timer);
    if (!connection.client.lost) return connection;
    connection.release();
    return undefined;
  }

  /**
   * Reads on the kept connection, one after the other.
   * @returns undefined where none is kept
   */
  read<R>(work: (client: PooledConnection) => Promise<R>): Promise<R> | undefined {
    const connection = this.#connection;
    if (!connection || connection.client.lost) return undefined;
    clearTimeout(this.#timer);
    this.#reading += 1;
    const done = this.#turn.then(() => work(connection.client));
    this.#turn = done.then(
      () => this.#done(connection),
      (error: unknown) => this.#done(connection, error),
    );
    return done;
  }

  #done(connection: HeldConnection, error?: unknown): void {
    this.#reading -= 1;
    if (error !== undefined && this.#connection === connection && !connection.isFitAfter(error)) {
      this.#connection = null;
      connection.release(error);
    }
    if (this.#reading > 0) return;
    if (this.#isOver) this.#giveBack();
    else this.#waitIdle();
  }

  /** The request is answered. */
  end(): void {
    this.#isOver = true;
    if (this.#reading === 0) this.#giveBack();
  }

  #waitIdle(): void {
    if (this.#connection) this.#timer = setTimeout(() => this.#giveBack(), IDLE_MS).unref();
  }

  #giveBack(): void {
    clearTimeout(this.#timer);
    const connection = this.#connection;
    this.#connection = null;
    connection?.release();
  }
}
