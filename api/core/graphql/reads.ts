import type { Database } from '../../../shared/core/database/database.js';
import type { DatabaseAsker } from '../../../shared/core/database/pooled-statements.js';
import type { Reads } from '../../../shared/core/database/driver/current-reads.js';
import type { Statement } from '../../../shared/core/database/driver/statement.js';
import { runAlike } from '../../../shared/core/database/statements-alike.js';
import type { TurnScheduler } from './turn-scheduler.js';
import type { TimeLimit } from './time-limit.js';

interface PendingRead {
  statement: Statement;
  resolve: (rows: never[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Collects the reads of a query's fields, and sends them when no field can continue without: all in one exchange, and
 * reads of many nodes with the same text as one statement (decisions/0029-graphql-nodes.md). A request has at most one
 * exchange in progress, so it uses one of the process's connections.
 */
export class FieldReads implements Reads {
  #pending: PendingRead[] = [];
  #reading = false;

  constructor(
    private readonly db: Database,
    readonly asker: DatabaseAsker,
    private readonly scheduler: TurnScheduler,
    private readonly time: TimeLimit,
  ) {}

  add<T>(statement: Statement): Promise<T[]> {
    return new Promise<T[]>((resolve, reject) => {
      this.#pending.push({ statement, resolve, reject });
      if (!this.#reading) void this.#read();
    });
  }

  async #read(): Promise<void> {
    this.#reading = true;
    for (await this.scheduler.settled(); this.#pending.length > 0; await this.scheduler.settled()) {
      const reads = this.#pending;
      this.#pending = [];
      await this.#exchange(reads);
    }
    this.#reading = false;
  }

  async #exchange(reads: readonly PendingRead[]): Promise<void> {
    try {
      this.time.signal.throwIfAborted();
      const statements = reads.map(({ statement }) => statement);
      const results = await runAlike(statements, (sent) => this.db.queryAll(sent, this.asker));
      for (const [index, { resolve }] of reads.entries()) {
        const rows = this.scheduler.give(results[index] as never[]);
        if (rows instanceof Promise) void rows.then(resolve);
        else resolve(rows);
      }
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  }
}
