import { randomUUID } from 'node:crypto';
import { fromKysely } from 'pg-boss';
import type { JobInsert, KyselyTransactionLike, PgBoss, QueueOptions, QueuePolicy } from 'pg-boss';
import type { EntityManager } from '../database/database.js';
import { translateOutage } from '../values/database-errors.js';
import { Overloaded, QueueRejectedError } from '../values/errors.js';
import { JOB_CONTEXT_KEY, originOfService } from '../values/job-context.js';
import type { JobOrigin } from '../values/job-context.js';
import { traceparent, tracedSend } from '../traces/tracing.js';

/** A kind of job: its name and queue. Once released, name and payload are a contract: only add optional keys. */
export interface JobKind<P extends object> {
  readonly name: string;
  /** The feature that its jobs belong to, by which administrators filter; part of each payload's context. */
  readonly category: string;
  /**
   * `deadLetter` is the kind that receives the payload of a job that failed all retries; it must be listed before this
   * one.
   */
  readonly queue: QueueOptions & { policy?: QueuePolicy; notify?: boolean; deadLetter?: string };
  /** Seconds between two jobs of a recurring kind: whole minutes, as the queue's own schedules have them. */
  readonly everySeconds?: number;
  /**
   * Each job runs in a separate process with a memory limit: for jobs whose input callers can make large, which must
   * not hold up schedules or other jobs. `short` is for jobs that users wait for; `long` jobs leave capacity for them.
   */
  readonly isolated?: 'short' | 'long';
  /** Never set: carries the payload's type. */
  readonly payload?: P;
}

/** The singleton key of recurring jobs. */
export const RECURRING_KEY = 'recurring';

/** The category of jobs that belong to no feature. */
const NOT_OWNED = 'not_owned';

/**
 * Declares a kind of job. Payloads hold ids and times (ISO 8601 text), never records.
 * The queue's times are seconds. Heartbeats are on: without them a dead worker is noticed after 15 minutes.
 */
export function queueJob<P extends object>(
  name: string,
  {
    category = NOT_OWNED,
    everySeconds,
    isolated,
    ...queue
  }: JobKind<P>['queue'] & Pick<JobKind<P>, 'everySeconds' | 'isolated'> & { category?: string } = {},
): JobKind<P> {
  return {
    name,
    category,
    ...(everySeconds === undefined ? {} : { everySeconds }),
    ...(isolated === undefined ? {} : { isolated }),
    queue: {
      // While a recurring one waits, as in a queue that is paused, its next one is not sent.
      policy: everySeconds === undefined ? 'standard' : 'short',
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

export interface SendOptions {
  /** With the queue policy `exclusive` or `short`: at most one waiting job for this key. */
  singletonKey?: string;
  /** With a singleton key: one job for each slot of so many seconds, also when it is done already. */
  singletonSeconds?: number;
  startAfter?: Date;
}

/** Puts the context into a payload. One that was sealed before keeps what it has. */
function sealed<P extends object>(kind: { category?: string }, payload: P, origin: JobOrigin): P {
  if (JOB_CONTEXT_KEY in payload) return payload;
  const { user, project, root_namespace, caller_id, correlation_id } = origin;
  const feature_category = kind.category ?? NOT_OWNED;
  const context = { user, project, root_namespace, caller_id, feature_category, correlation_id };
  const span = traceparent();
  return { ...payload, [JOB_CONTEXT_KEY]: span === null ? context : { ...context, traceparent: span } };
}

/** A recurring job that is sent by hand is one of its own, whether one of its schedule waits or not. */
const manualRunOptions = ({ everySeconds }: { everySeconds?: number }): { singletonKey?: string } =>
  everySeconds === undefined ? {} : { singletonKey: randomUUID() };

/** Sends jobs, on the pool or within a transaction. Each payload gets the context of who sends it. */
export class JobSender {
  private readonly boss: PgBoss;
  readonly #origin: JobOrigin | undefined;

  /** @param origin the caller to send jobs for; the service itself when left out */
  constructor(
    boss: Pick<PgBoss, 'send'>,
    private readonly em?: EntityManager,
    origin?: JobOrigin,
  ) {
    // Senders that only send, such as alarms, need nothing else from it.
    this.boss = boss as PgBoss;
    this.#origin = origin;
  }

  within(em: EntityManager, origin?: JobOrigin): JobSender {
    return new JobSender(this.boss, em, origin ?? this.#origin);
  }

  /** The same for another sender than the service as a whole: the part of it that sends by itself. */
  sentBy(callerId: string): JobSender {
    return new JobSender(this.boss, this.em, originOfService(callerId));
  }

  #connection() {
    if (!this.em) return {};
    const transaction = this.em.getTransactionContext<KyselyTransactionLike>();
    if (!transaction) throw new Error('A job was sent within a transaction that is not open.');
    return { db: fromKysely(transaction) };
  }

  /** A payload with its context, to be sent later by an authorized sender ({@link JobSender.sendAs}). */
  seal<P extends object>(kind: JobKind<P>, payload: P): P {
    return sealed(kind, payload, this.#origin ?? originOfService(null));
  }

  /**
   * @returns the job's id, or null when an equivalent job is already waiting, by singleton key or the queue's policy
   * @throws QueueRejectedError when the queue does not accept it, even silently: a job must not get lost
   */
  async send<P extends object>(kind: JobKind<P>, payload: P, options: SendOptions = {}): Promise<string | null> {
    const sent = { ...manualRunOptions(kind), ...options, ...this.#connection() };
    const id = await tracedSend(kind.name, 1, () => this.boss.send(kind.name, this.seal(kind, payload), sent)).catch(
      (cause: unknown) => {
        const outage = translateOutage(cause);
        throw outage instanceof Overloaded ? outage : new QueueRejectedError(undefined, { cause });
      },
    );
    const one = options.singletonKey !== undefined || kind.queue.policy !== 'standard';
    if (id === null && !one) throw new QueueRejectedError();
    return id;
  }

  /** Sends jobs of one kind under ids of the caller's choice, by which they can be found again. */
  async sendAs(
    kind: { name: string; category?: string; everySeconds?: number },
    jobs: readonly { id: string; data: object }[],
  ): Promise<void> {
    const origin = this.#origin ?? originOfService(null);
    const connection = this.#connection();
    await tracedSend(kind.name, jobs.length, () =>
      this.boss.insert(
        kind.name,
        jobs.map(({ id, data }) => ({ id, data: sealed(kind, data, origin), ...manualRunOptions(kind) })),
        connection,
      ),
    );
  }

  /** Sends many jobs of one kind with one statement. */
  async sendAll<P extends object>(
    kind: JobKind<P>,
    payloads: readonly P[],
    options: Pick<SendOptions, 'startAfter'> = {},
  ): Promise<void> {
    if (payloads.length === 0) return;
    const origin = this.#origin ?? originOfService(null);
    const connection = this.#connection();
    await tracedSend(kind.name, payloads.length, () => {
      const jobs: JobInsert[] = payloads.map((payload) => ({
        data: sealed(kind, payload, origin),
        ...manualRunOptions(kind),
        ...options,
      }));
      return this.boss.insert(kind.name, jobs, connection);
    });
  }

  /**
   * Cancels jobs that wait or run. Those that run keep running until their handler sees the signal, which
   * `cancelJobs` of `instance/queue-jobs` sees to.
   * @returns the ids of those that were cancelled; any other is over, or unknown
   */
  async cancel(queue: string, ids: readonly string[]): Promise<readonly string[]> {
    const { settled = [] } = (await this.boss.cancel(queue, [...ids], this.#connection())) as { settled?: string[] };
    return settled;
  }
}
