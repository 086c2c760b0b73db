import { createQueryId, IdentifierNode, RawNode } from 'kysely';
import type {
  CompiledQuery,
  DatabaseConnection,
  Driver,
  QueryCompiler,
  QueryResult,
  TransactionSettings,
} from 'kysely';
import type { Answer, Statement } from './statement.js';

/** A connection that one transaction has to itself. */
export interface ReservedConnection {
  run(statement: Statement): Promise<Answer>;
  /** Gives it back to the pool. @param broken whether it is closed instead of being used again */
  release(broken?: boolean): void;
}

/** Where the driver gets connections from. */
export interface ConnectionSource {
  /** Runs a statement outside of any transaction, on whatever connection is free. */
  run(statement: Statement): Promise<Answer>;
  /** Takes a connection out of the pool, for a transaction. */
  reserve(): Promise<ReservedConnection>;
  /** Closes all connections. */
  end(): Promise<void>;
}

/** Kysely's view of a connection: it holds one of the pool's only while a transaction is open. */
class PooledConnection implements DatabaseConnection {
  #reserved: ReservedConnection | undefined;

  constructor(private readonly source: ConnectionSource) {}

  async executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affected } = await (this.#reserved ?? this.source).run({ text, values: parameters });
    return { rows: rows as Row[], ...(affected === undefined ? {} : { numAffectedRows: BigInt(affected) }) };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Results are read whole: page through what is large by keyset.');
  }

  /** Opens a transaction on a connection of its own. */
  async begin(text: string): Promise<void> {
    this.#reserved = await this.source.reserve();
    try {
      await this.#reserved.run({ text, values: [] });
    } catch (error) {
      this.#release(true);
      throw error;
    }
  }

  /** Ends the transaction. The connection goes back to the pool whatever comes of it, closed where its state is unknown. */
  async end(text: 'commit' | 'rollback'): Promise<void> {
    let broken = true;
    try {
      await this.#reserved?.run({ text, values: [] });
      broken = false;
    } finally {
      this.#release(broken);
    }
  }

  /** What Kysely calls once it is done with the connection; a transaction that is still open is lost with it. */
  abandon(): void {
    this.#release(true);
  }

  #release(broken: boolean): void {
    this.#reserved?.release(broken);
    this.#reserved = undefined;
  }
}

function beginStatement({ isolationLevel, accessMode }: TransactionSettings): string {
  const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : '';
  return `begin${isolation}${accessMode ? ` ${accessMode}` : ''}`;
}

/** Kysely's driver over a {@link ConnectionSource}. */
export class PooledDriver implements Driver {
  constructor(private readonly source: ConnectionSource) {}

  init(): Promise<void> {
    return Promise.resolve();
  }

  acquireConnection(): Promise<PooledConnection> {
    return Promise.resolve(new PooledConnection(this.source));
  }

  releaseConnection(connection: PooledConnection): Promise<void> {
    connection.abandon();
    return Promise.resolve();
  }

  beginTransaction(connection: PooledConnection, settings: TransactionSettings): Promise<void> {
    return connection.begin(beginStatement(settings));
  }

  commitTransaction(connection: PooledConnection): Promise<void> {
    return connection.end('commit');
  }

  rollbackTransaction(connection: PooledConnection): Promise<void> {
    return connection.end('rollback');
  }

  savepoint(connection: PooledConnection, name: string, compile: QueryCompiler['compileQuery']): Promise<void> {
    return runCommand(connection, 'savepoint', name, compile);
  }

  rollbackToSavepoint(
    connection: PooledConnection,
    name: string,
    compile: QueryCompiler['compileQuery'],
  ): Promise<void> {
    return runCommand(connection, 'rollback to', name, compile);
  }

  releaseSavepoint(connection: PooledConnection, name: string, compile: QueryCompiler['compileQuery']): Promise<void> {
    return runCommand(connection, 'release', name, compile);
  }

  destroy(): Promise<void> {
    return this.source.end();
  }
}

async function runCommand(
  connection: PooledConnection,
  command: string,
  savepoint: string,
  compile: QueryCompiler['compileQuery'],
): Promise<void> {
  const node = RawNode.createWithChildren([RawNode.createWithSql(`${command} `), IdentifierNode.create(savepoint)]);
  await connection.executeQuery(compile(node, createQueryId()));
}
