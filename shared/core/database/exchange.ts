import type { Duplex } from 'node:stream';
import utils from 'pg/lib/utils.js';
import { answerInHand } from '../bytes/answer-bytes.js';
import type { Answer } from './driver/statement.js';
import type { ResultColumn, RowReader } from './row-reader.js';

/** One statement as a connection knows it. */
export interface PreparedStatement {
  /** Under which the server keeps it prepared; empty when it is sent as text each time. */
  name: string;
  text: string;
  /** Known once the server has described the result; a prepared statement's result stays as it is. */
  reader: RowReader | null;
}

interface Connection {
  stream: Duplex;
  parsedStatements: Record<string, string | undefined>;
  parse(message: { name: string; text: string; types: [] }): void;
  bind(message: { portal: ''; statement: string; values: unknown[]; binary: false }): void;
  describe(message: { type: 'P'; name: '' }): void;
  execute(message: { portal: ''; rows: 0 }): void;
  sync(): void;
}

/** The command tag that the server returns for a completed write, such as `INSERT 0 3`. */
const CHANGED_ROWS = /^(?:INSERT \d+|UPDATE|DELETE|MERGE) (\d+)$/;

export interface Request {
  statement: PreparedStatement;
  values: readonly unknown[];
}

/**
 * Statements that go to the server together and come back together: one write, one wake-up, one transaction of the
 * server's own. pg sends what has a `submit`, and hands it each message of the answer. A result is described only
 * the first time that a connection sees its statement, which is what makes this cheaper than pg's own query.
 */
export class Exchange {
  readonly #answers: { rows: unknown[]; affected?: number }[];
  readonly #wire: (string | Buffer | null)[][];
  #at = 0;
  #failure: unknown = null;
  #over = false;
  /** The response whose limit the rows count toward: all rows of a request are bounded together. */
  readonly #answer = answerInHand.getStore();

  /** @param done gets the answer to each request, or the error of the first that failed */
  constructor(
    private readonly requests: readonly Request[],
    private readonly readerOf: (columns: readonly ResultColumn[]) => RowReader,
    private readonly done: (error: unknown, answers: Answer[]) => void,
  ) {
    this.#answers = requests.map(() => ({ rows: [] }));
    this.#wire = requests.map(({ values }) => values.map((value) => utils.prepareValue(value)));
  }

  /** The statement that is being answered; pg notes under its name that the server has it prepared. */
  get name(): string {
    return this.requests[this.#at]?.statement.name ?? '';
  }

  get text(): string {
    return this.requests[this.#at]?.statement.text ?? '';
  }

  submit(connection: Connection): void {
    const parsed = new Set<string>();
    connection.stream.cork();
    try {
      this.requests.forEach(({ statement: { name, text, reader } }, index) => {
        // The same text may occur twice, with other values.
        if (name === '' || (connection.parsedStatements[name] === undefined && !parsed.has(name)))
          connection.parse({ name, text, types: [] });
        parsed.add(name);
        connection.bind({ portal: '', statement: name, values: this.#wire[index] ?? [], binary: false });
        if (!reader) connection.describe({ type: 'P', name: '' });
        connection.execute({ portal: '', rows: 0 });
      });
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: ResultColumn[] }): void {
    const request = this.requests[this.#at];
    if (request) request.statement.reader = this.readerOf(fields);
  }

  handleDataRow({ fields, length }: { fields: (string | null)[]; length: number }): void {
    if (this.#failure !== null) return;
    try {
      this.#answer?.takeRow(length);
    } catch (error) {
      // The rest of the result is not awaited: the caller closes the connection.
      this.#failure = error;
      return this.#end(error, []);
    }
    try {
      this.#answers[this.#at]?.rows.push(this.requests[this.#at]?.statement.reader?.(fields));
    } catch (error) {
      this.#failure = error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const answer = this.#answers[this.#at];
    const changed = CHANGED_ROWS.exec(text);
    if (answer && changed) answer.affected = Number(changed[1]);
    this.#at += 1;
  }

  handleEmptyQuery(): void {
    this.#at += 1;
  }

  /** The server skips what was to follow, and pg forgets this exchange: its end is handled here. */
  handleError(error: unknown): void {
    this.#end(error, []);
  }

  handleReadyForQuery(): void {
    this.#end(this.#failure, this.#answers);
  }

  #end(error: unknown, answers: Answer[]): void {
    if (this.#over) return;
    this.#over = true;
    this.done(error, answers);
  }
}
