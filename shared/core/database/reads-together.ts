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
 * Collects the statements that a request issues in one turn of the event loop, and runs them on one connection in one
 * exchange: independent statements cost one round trip. If one fails, the others in the exchange fail too.
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
