import type { Database } from './database.js';
import type { DatabaseAsker } from './pooled-statements.js';
import type { Reads } from './driver/current-reads.js';
import type { Statement } from './driver/statement.js';

interface Asked {
  statement: Statement;
  resolve: (rows: never[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Collects the statements that one request asks for before the event loop turns, and runs them on one connection in
 * one exchange: two that don't wait for each other cost one round trip. Should one fail, so do those beside it.
 */
export class ReadsTogether implements Reads {
  #asked: Asked[] = [];

  constructor(
    private readonly db: Database,
    readonly asker: DatabaseAsker,
  ) {}

  add<T>(statement: Statement): Promise<T[]> {
    return new Promise<T[]>((resolve, reject) => {
      this.#asked.push({ statement, resolve, reject });
      if (this.#asked.length === 1) queueMicrotask(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      const results = await this.db.queryAll(
        asked.map(({ statement }) => statement),
        this.asker,
      );
      asked.forEach(({ resolve }, index) => resolve(results[index] as never[]));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
