import { answerInHand } from '../../core/bytes/answer-bytes.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { prepareStatement } from '../../core/database/prepared.js';
import { openObject } from '../../core/stored-files/storing.js';
import type { CiDatabase } from '../ci.entities.js';
import { isAlive } from '../job-states/status-predicates.js';
import type { LogKey } from './job-log.finder.js';
import { formatEndEvent, formatLogEvent } from './log-events.js';
import { findReadableLog, readChunks } from './read-log.js';

/** Who follows a log: receives text of an event stream, and its end. */
export interface LogListener {
  send(text: string): void;
  end(): void;
  /** Resolves once it has room for more, or is gone. */
  drained(): Promise<void>;
}

/** Where a stream of a log begins. */
export interface LogStart {
  /** The first byte that the listener does not have. */
  readonly position: number;
  /** The log is marked as showing values of variables, and the listener may see them. */
  readonly debug_trace: boolean;
}

/** Bytes of an event at most. */
const EVENT_BYTES = 64 * 1024;

const statusOf = prepareStatement<CiDatabase, { id: number }>((db, { id }) =>
  db.selectFrom('jobs as j').select('j.status').where('j.id', '=', id),
);

/** One stream of a log: sends what there is from a position on, whenever it is told that there is more. */
export class LogFollower {
  #position: number;
  #reading = false;
  #again = false;
  #stopped = false;

  constructor(
    private readonly ctx: Context<Caller>,
    private readonly job: LogKey,
    private readonly start: LogStart,
    private readonly listener: LogListener,
  ) {
    this.#position = start.position;
  }

  /** Sends what is new. Told again meanwhile, it looks once more. */
  readMore(): void {
    this.#again = true;
    if (this.#reading || this.#stopped) return;
    this.#reading = true;
    // The request that it began with is answered: what is read now is no part of its answer.
    answerInHand
      .exit(() => this.#sendAll())
      .catch((error: unknown) => {
        this.ctx.log.warn({ err: error, job_id: this.job.id }, 'a log could not be followed any further');
        // The client asks again, from where it is.
        this.end();
      })
      .finally(() => (this.#reading = false));
  }

  async #sendAll(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      // Read before the bytes: after a job has ended, nothing is added.
      const status = await this.#readEnd();
      await this.#sendBytes(status !== null);
      if (status === null || this.#stopped) continue;
      this.listener.send(formatEndEvent(this.#position, status));
      this.end();
    }
  }

  /** The state that a job ended in; null while it goes on. */
  async #readEnd(): Promise<string | null> {
    const [row] = await this.ctx.services.db.query<{ status: string }>(statusOf({ id: this.job.id }));
    if (!row) return 'canceled';
    return isAlive(row.status) ? null : row.status;
  }

  async #sendBytes(isLast: boolean): Promise<void> {
    let rest = Buffer.alloc(0);
    for await (const chunk of this.#newBytes()) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      rest = await this.#send(rest, false);
      if (this.#stopped) return;
    }
    if (isLast) await this.#send(rest, true);
  }

  /**
   * What the log has beyond the position, from its chunks or, once it is sealed, from its object. The stream ends before
   * bytes that only some may see: the client asks again, and its access is checked.
   */
  async *#newBytes(): AsyncGenerator<Buffer<ArrayBuffer>> {
    let from = this.#position;
    for (;;) {
      const chunks = (await readChunks(this.ctx, this.job, from)) as Buffer<ArrayBuffer>[];
      // Read after the bytes: a log is marked together with the first of them that need it.
      const log = await findReadableLog(this.ctx, this.job);
      if (log?.debug_trace && !this.start.debug_trace) return this.end();
      yield* chunks;
      from += chunks.reduce((sum, { length }) => sum + length, 0);
      if (chunks.length > 0) continue;
      if (!log?.object || log.object.bytes <= from) return;
      const range = { start: from, end: log.object.bytes - 1 };
      yield* (await openObject(this.ctx, log.object, range)) as AsyncIterable<Buffer<ArrayBuffer>>;
      return;
    }
  }

  /** Sends bytes in events. @returns the bytes of a character that is not complete */
  async #send(bytes: Buffer<ArrayBuffer>, isLast: boolean): Promise<Buffer<ArrayBuffer>> {
    for (let at = 0; at < bytes.length;) {
      const piece = bytes.subarray(at, at + EVENT_BYTES);
      const ends = at + piece.length === bytes.length;
      const { event, position } = formatLogEvent(piece, this.#position, isLast && ends);
      if (event === '') return bytes.subarray(at);
      at += position - this.#position;
      this.#position = position;
      this.listener.send(event);
      await this.listener.drained();
      if (this.#stopped) break;
    }
    return Buffer.alloc(0);
  }

  /** Shows the client, and all between, that the connection lives. */
  beat(): void {
    if (!this.#stopped) this.listener.send(': \n\n');
  }

  end(): void {
    this.#stopped = true;
    this.listener.end();
  }

  stop(): void {
    this.#stopped = true;
  }
}
