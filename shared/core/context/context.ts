import type { OperationNodeSource } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Caller, UserCaller, UserOrAnonymous } from './callers.js';
import { countKey } from './callers.js';
import type { Clock } from '../values/clock.js';
import type { Config } from '../values/config.js';
import { translateDatabaseError } from '../values/database-errors.js';
import type { AfterCommit } from '../database/after-commit.js';
import type { Channels } from '../database/channels.js';
import type { Numbers } from '../database/numbers.js';
import type { ContextEntityManager, Database, EntityManager, Queryable } from '../database/database.js';
import type { DatabaseAsker } from '../database/pooled-statements.js';
import { queryInTransaction } from '../database/database.js';
import { CommitUnknown } from '../values/errors.js';
import type { DeniedRequest } from '../values/errors.js';
import { notifySubscribers } from '../values/events.js';
import type { DomainEvent, EventType } from '../values/events.js';
import type { HoldPoints } from './hold-points.js';
import type { JobSender } from './jobs.js';
import { NOWHERE } from '../values/job-context.js';
import type { ContainerPaths, JobOrigin } from '../values/job-context.js';
import { Loaded } from '../values/loaded.js';
import type { ObjectStore } from '../object-store/object-store.js';
import type { RateLimiter } from '../rate-limits/rate-limiter.js';
import type { Passwords } from '../threads/passwords.js';
import { ReadsTogether } from '../database/reads-together.js';
import { currentReads } from '../database/driver/current-reads.js';
import type { Reads } from '../database/driver/current-reads.js';
import type { Statement } from '../database/driver/statement.js';
import type { Keys } from '../values/secrets.js';
import type { Settings } from '../values/settings.js';
import type { SettingsStore } from './settings-store.js';
import { asStatement } from '../database/compile.js';

/** Each plan includes the plans before it. */
const PLANS: readonly Settings['plan'][] = ['free', 'premium', 'ultimate'];

/** An event and the context that recorded it, which holds the caller and the transaction. */
export interface RecordedEvent<K extends EventType = EventType> {
  readonly event: DomainEvent<K>;
  readonly ctx: Context<Caller>;
}

/** A handler that subscribes to some types of events. */
export interface Subscriber<K extends EventType = EventType> {
  readonly name: string;
  readonly types: readonly K[];
  /**
   * Runs at the end of the transaction that recorded the events and inside it, once for all of them, in the order they
   * were recorded regardless of the caller. An exception rolls the transaction back, so it must not reject anything:
   * rules belong in operations.
   */
  readonly handle: (recorded: readonly RecordedEvent<K>[]) => Promise<void>;
}

/** What lives as long as the process. */
export interface Services {
  config: Config;
  db: Database;
  clock: Clock;
  jobs: JobSender;
  keys: Keys;
  passwords: Passwords;
  log: Logger;
  settings: SettingsStore<Settings>;
  /** Listens to notifications on database channels. */
  channels: Channels;
  limiter: RateLimiter;
  /** Gives out numbers of what lies in projects; areas reach it through `takeNumber`. */
  numbers: Numbers;
  /** Where bytes lie; areas reach it through `object-store/storing.ts`. */
  objects: ObjectStore;
  /** Notified of events, in the transaction that recorded them. */
  subscribers: readonly Subscriber[];
  /** Drops what this process remembers of tokens and users: called once a change to either is committed. */
  forgetCallers(): void;
  /** Installed by tests alone. */
  holdPoints?: HoldPoints;
  /** Keeps for an hour why a request was refused (decision 79). */
  logDenial(error: unknown, at: DeniedRequest): void;
}

/** Where a request came from, for audit events and rate limits, and on what condition. */
export interface Origin {
  requestId: string;
  ip: string | null;
  /** The client's `User-Agent` header. */
  userAgent?: string;
  /** The page that a browser came from. */
  referer?: string;
  /** The client's CAPTCHA response, and the spam log entry that required it. */
  captcha?: { readonly response: string; readonly spamLogId: number | null };
  /** The name that audit events record when no user is signed in. */
  actor?: string;
  /** `If-Unmodified-Since` of a DELETE. */
  unmodifiedSince?: Date | null;
  /** Ends with the client, or when a job's time is up; left out where nothing ends early. */
  signal?: AbortSignal;
  /** Time limit of a statement in a transaction, if longer than the limit of its kind of work. */
  statementSeconds?: number;
  /** The commit state of the request, for the reads that build its response. */
  after?: AfterCommit;
  /** In a job: the resources that the jobs it sends are about, and the user they run for. */
  job?: JobOrigin;
}

/** The signal of contexts that are never aborted. */
const NEVER_ENDS = new AbortController().signal;

/**
 * Created for each request or job, never global. Its type declares the possible callers: a user or an anonymous caller
 * by default, so that code that checks a user's permissions is unavailable to other kinds of callers (decision 36).
 * Reads run on the pool; inside {@link Context.transaction} everything, including jobs, runs on its transaction.
 */
export class Context<out C extends Caller = UserOrAnonymous> implements Queryable {
  /** Of the open transaction. */
  #em: EntityManager | undefined;
  #reading: EntityManager | undefined;
  #afterCommit: (() => void)[] = [];
  #onRollback: (() => void)[] = [];
  #recorded: RecordedEvent[] = [];
  /** What jobs are sent by and about, once it is known. */
  #task: { caller_id: string; about: ContainerPaths } | undefined;
  /** Results of the serializers' loads, in addition to the records. */
  readonly loaded = new Loaded();
  readonly #asker: DatabaseAsker;
  readonly #reads: Reads;

  constructor(
    readonly services: Services,
    readonly caller: C,
    readonly origin: Origin = { requestId: randomUUID(), ip: null },
    /** What reads outside of a transaction go through. */
    readonly readsFor: (db: Database, asker: DatabaseAsker) => Reads = (db, asker) => new ReadsTogether(db, asker),
  ) {
    // An anonymous caller without an address is the process itself.
    const itself = caller.kind === 'anonymous' && origin.ip === null;
    const { signal, after, statementSeconds } = origin;
    this.#asker = { caller: itself ? null : countKey(caller, origin.ip), signal, after, statementSeconds };
    this.#reads = readsFor(services.db, this.#asker);
  }

  get config(): Config {
    return this.services.config;
  }

  get clock(): Clock {
    return this.services.clock;
  }

  get log(): Logger {
    return this.services.log;
  }

  /** The instance settings, at most a second old. */
  get settings(): Settings {
    return this.services.settings.current;
  }

  /** Whether the instance's plan has what `plan` and those above it have (contract/README.md "Plans and offerings"). */
  hasPlan(plan: Settings['plan']): boolean {
    return PLANS.indexOf(this.settings.plan) >= PLANS.indexOf(plan);
  }

  /**
   * Aborted once the result is no longer needed: the client of a request has disconnected, or a job is assigned to
   * another worker. Long-running work stops with it.
   */
  get signal(): AbortSignal {
    return this.origin.signal ?? NEVER_ENDS;
  }

  /**
   * MikroORM's entity manager, and with `em.getKysely<…Database>()` its query builder: of the open transaction, else of
   * the pool.
   */
  get em(): ContextEntityManager {
    if (this.#em) return this.#em;
    // When a request has several contexts, the current reads are those of the context that issued them.
    const current = currentReads.getStore();
    if (current) current.reads = this.#reads;
    return (this.#reading ??= this.services.db.orm.em.fork());
  }

  get #open(): EntityManager {
    if (!this.#em) throw new Error('Writes need a transaction: declare the operation as a write.');
    return this.#em;
  }

  get inTransaction(): boolean {
    return this.#em !== undefined;
  }

  /** Enqueues on the caller's transaction: if it rolls back, the job never existed. */
  get jobs(): JobSender {
    return this.services.jobs.within(this.#open, this.#jobOrigin());
  }

  /** Sets the current operation and the resources it is about; jobs sent from now on carry both. */
  doing(callerId: string, about: ContainerPaths = NOWHERE): void {
    this.#task = { caller_id: callerId, about };
  }

  #jobOrigin(): JobOrigin {
    const { job, requestId } = this.origin;
    const about = this.#task?.about ?? job ?? NOWHERE;
    return {
      user: this.caller.kind === 'user' ? this.caller.user.username : (job?.user ?? null),
      project: about.project,
      root_namespace: about.root_namespace,
      caller_id: this.#task?.caller_id ?? job?.caller_id ?? null,
      correlation_id: requestId,
    };
  }

  /** Reads issued at the same time, for example by `Promise.all`, are sent to the database and return together. */
  query<T>(statement: Statement | OperationNodeSource): Promise<T[]> {
    return this.rows<T>(asStatement(statement));
  }

  /** The same for a statement that is compiled already. */
  rows<T>(statement: Statement): Promise<T[]> {
    return this.#em ? queryInTransaction<T>(this.#em, statement) : this.#reads.add<T>(statement);
  }

  /**
   * Runs `work` in one transaction, committed when it returns. Nested calls join the open one.
   * A client that disconnects does not abort it: the transaction commits or rolls back as a whole.
   * @throws the error declared for a unique violation (`onUniqueViolation`), Conflict when others hold the rows,
   * CommitUnknown
   */
  async transaction<R>(work: () => Promise<R>): Promise<R> {
    if (this.#em) return work();
    this.#afterCommit = [];
    this.#onRollback = [];
    this.#recorded = [];
    let result: R;
    try {
      result = await this.services.db.transaction(this.#asker, async (em) => {
        this.#em = em;
        const done = await work();
        await this.publishRecorded();
        return done;
      });
    } catch (error) {
      for (const effect of this.#onRollback.splice(0)) effect();
      // It may have changed what this process remembers of them.
      if (error instanceof CommitUnknown) this.services.forgetCallers();
      throw translateDatabaseError(error);
    } finally {
      this.#em = undefined;
    }
    for (const effect of this.#afterCommit.splice(0)) effect();
    return result;
  }

  /**
   * Publishes events to their subscribers (decision 34), at the end of the open transaction and inside it. An event
   * only reports: it decides nothing.
   */
  record(...events: DomainEvent[]): void {
    if (!this.#em) throw new Error('What happened is recorded in the transaction of the change.');
    for (const event of events) this.#recorded.push({ event, ctx: this });
  }

  /**
   * Publishes the events recorded so far immediately: before an action that no rollback can undo, such as moving refs
   * in git. If a subscriber fails, that action does not happen.
   */
  publishRecorded(): Promise<void> {
    return notifySubscribers(this.services.subscribers, () => this.#recorded.splice(0));
  }

  /** Runs `effect` once the open transaction is committed (at once when none is open). */
  afterCommit(effect: () => void): void {
    if (this.#em) this.#afterCommit.push(effect);
    else effect();
  }

  /** Runs `effect` should the open transaction roll back: takes back what no database can, such as a file. */
  onRollback(effect: () => void): void {
    this.#onRollback.push(effect);
  }

  /** The same request or job as another caller, on the same transaction where one is open. */
  as<D extends Caller>(caller: D): Context<D> {
    const other = new Context(this.services, caller, this.origin, this.readsFor);
    other.#em = this.#em;
    other.#afterCommit = this.#afterCommit;
    other.#onRollback = this.#onRollback;
    other.#recorded = this.#recorded;
    other.#task = this.#task;
    return other;
  }
}

/** The context of a signed-in user: for code that records the author of a change or acts on the caller's own data. */
export type SignedInContext = Context<UserCaller>;
