import type { Database } from './database.js';
import type { DatabaseAsker } from './pooled-statements.js';
import type { Reads } from './driver/current-reads.js';
import type { Statement } from './driver/statement.js';

interface PendingRead {
  statement: Statement;
  resolve: (rows: never[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Collects the statements that one request asks for before the event loop turns, and runs them on one connection in
 * one exchange: two that don't wait for each other cost one round trip. Should one fail, so do those beside it.
 */
export class ReadsTogether implements Reads {
  #pending: PendingRead[] = [];

  constructor(
    private readonly db: Database,
    readonly asker: DatabaseAsker,
  ) {}

  add<T>(statement: Statement): Promise<T[]> {
    return new Promise<T[]>((resolve, reject) => {
      this.#pending.push({ statement, resolve, reject });
      if (this.#pending.length === 1) queueMicrotask(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    const reads = this.#pending;
    this.#pending = [];
    try {
      const results = await this.db.queryAll(
        reads.map(({ statement }) => statement),
        this.asker,
      );
      reads.forEach(({ resolve }, index) => resolve(results[index] as never[]));
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  }
}
