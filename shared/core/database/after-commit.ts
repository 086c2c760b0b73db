import type { PooledConnection, HeldConnection } from './held-connection.js';

/** Idle time after which a connection held for the response returns to the pool. */
const IDLE_MS = 100;

/**
 * The database state of a request after its first commit: the connection of its transaction, reused for the reads that
 * build the response and for the next transaction, so that a committed change is also reported as successful (decision
 * 91).
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

  /** Claims the held connection for other use; undefined if there is none or it is being read on. */
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
   * Reads on the held connection, one statement after the other.
   * @returns undefined if no connection is held
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
