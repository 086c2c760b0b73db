import { fromKysely } from 'pg-boss';
import type { JobInsert, KyselyTransactionLike, PgBoss, QueueOptions, QueuePolicy } from 'pg-boss';
import type { EntityManager } from './database.js';
import { sql } from './sql.js';
import type { Sql } from './sql.js';
import { QueueRefused } from './errors.js';

/** A kind of job: its name and queue. Once released, name and payload are a contract: only add optional keys. */
export interface JobKind<P extends object> {
  readonly name: string;
  /** `deadLetter` names the kind that gets the payload of a job that no try could do; it stands before this one. */
  readonly queue: QueueOptions & { policy?: QueuePolicy; notify?: boolean; deadLetter?: string };
  /** Never set: carries the payload's type. */
  readonly payload?: P;
}

/**
 * Declares a kind of job. Payloads hold ids and times (ISO 8601 text), never records.
 * The queue's times are seconds. Heartbeats are on: without them a dead worker is noticed after 15 minutes.
 */
export function job<P extends object>(name: string, queue: JobKind<P>['queue'] = {}): JobKind<P> {
  return {
    name,
    queue: {
      policy: 'standard',
      notify: true,
      retryLimit: 10,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 60,
      heartbeatSeconds: 10,
      expireInSeconds: 300,
      ...queue,
    },
  };
}

/** SQL: whether a job, by its kind's name and its id, is done, given up or forgotten: no try of it comes any more. */
export function jobIsOver(name: Sql, id: Sql): Sql {
  return sql`not exists (
    select 1 from pgboss.job j where j.name = ${name} and j.id = ${id} and j.state in ('created', 'retry', 'active'))`;
}

export interface SendOptions {
  /** With the queue policy `exclusive` or `short`: at most one waiting job for this key. */
  singletonKey?: string;
  startAfter?: Date;
}

/** Sends jobs, on the pool or within a transaction. */
export class JobSender {
  constructor(
    private readonly boss: PgBoss,
    private readonly em?: EntityManager,
  ) {}

  within(em: EntityManager): JobSender {
    return new JobSender(this.boss, em);
  }

  #connection() {
    if (!this.em) return {};
    const transaction = this.em.getTransactionContext<KyselyTransactionLike>();
    if (!transaction) throw new Error('A job was sent within a transaction that is not open.');
    return { db: fromKysely(transaction) };
  }

  /**
   * @returns the job's id, or null when one like it is already waiting, by singleton key or the queue's policy
   * @throws QueueRefused when the queue does not take it, also where it says nothing: a job may not vanish
   */
  async send<P extends object>(kind: JobKind<P>, payload: P, options: SendOptions = {}): Promise<string | null> {
    const id = await this.boss
      .send(kind.name, payload, { ...options, ...this.#connection() })
      .catch((cause: unknown) => {
        throw new QueueRefused(undefined, { cause });
      });
    const one = options.singletonKey !== undefined || kind.queue.policy !== 'standard';
    if (id === null && !one) throw new QueueRefused();
    return id;
  }

  /** Sends jobs of one kind under ids of the caller's choice, by which they can be found again ({@link jobIsOver}). */
  async sendAs(kind: { name: string }, jobs: readonly { id: string; data: object }[]): Promise<void> {
    await this.boss.insert(kind.name, [...jobs], this.#connection());
  }

  /** Sends many jobs of one kind with one statement. */
  async sendAll<P extends object>(kind: JobKind<P>, payloads: readonly P[]): Promise<void> {
    if (payloads.length === 0) return;
    const jobs: JobInsert[] = payloads.map((data) => ({ data }));
    await this.boss.insert(kind.name, jobs, this.#connection());
  }
}
