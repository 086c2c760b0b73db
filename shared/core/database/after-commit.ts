import type { PooledConnection, HeldConnection } from './held-connection.js';

/** A connection that is kept for the answer, and of which nobody has use for so long, goes back to the pool. */
const IDLE_MS = 100;

/**
 * What a request has of the database once it has committed something: the connection of its transaction, for the reads
 * that make the answer and for the next transaction, so that what is done is also answered as done (decision 91).
 */
export class AfterCommit {
  #committed = false;
  #ended = false;
  #kept: HeldConnection | null = null;
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
    if (this.#ended || this.#kept || connection.client.lost) return connection.release();
    this.#kept = connection;
    this.#waitIdle();
  }

  /** Takes the kept connection for something else; none where there is none, or somebody reads on it. */
  take(): HeldConnection | undefined {
    const kept = this.#kept;
    if (!kept || this.#reading > 0) return undefined;
    this.#kept = null;
    clearTimeout(this.#timer);
    if (!kept.client.lost) return kept;
    kept.release();
    return undefined;
  }

  /**
   * Reads on the kept connection, one after the other.
   * @returns undefined where none is kept
   */
  read<R>(work: (client: PooledConnection) => Promise<R>): Promise<R> | undefined {
    const kept = this.#kept;
    if (!kept || kept.client.lost) return undefined;
    clearTimeout(this.#timer);
    this.#reading += 1;
    const done = this.#turn.then(() => work(kept.client));
    this.#turn = done.then(
      () => this.#done(kept),
      (error: unknown) => this.#done(kept, error),
    );
    return done;
  }

  #done(kept: HeldConnection, error?: unknown): void {
    this.#reading -= 1;
    if (error !== undefined && this.#kept === kept && !kept.isFitAfter(error)) {
      this.#kept = null;
      kept.release(error);
    }
    if (this.#reading > 0) return;
    if (this.#ended) this.#giveBack();
    else this.#waitIdle();
  }

  /** The request is answered. */
  end(): void {
    this.#ended = true;
    if (this.#reading === 0) this.#giveBack();
  }

  #waitIdle(): void {
    if (this.#kept) this.#timer = setTimeout(() => this.#giveBack(), IDLE_MS).unref();
  }

  #giveBack(): void {
    clearTimeout(this.#timer);
    const kept = this.#kept;
    this.#kept = null;
    kept?.release();
  }
}
