import type { OperationNodeSource } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Caller, UserCaller, UserOrAnonymous } from './callers.js';
import { countKey } from './callers.js';
import type { Clock } from '../values/clock.js';
import type { Config } from '../values/config.js';
import { translateDatabaseError } from '../values/database-errors.js';
import type { AfterCommit } from '../database/after-commit.js';
import type { Numbers } from '../database/numbers.js';
import type { ContextEntityManager, Database, EntityManager, Queryable } from '../database/database.js';
import type { DatabaseAsker } from '../database/pooled-statements.js';
import { queryInTransaction } from '../database/database.js';
import { CommitUnknown } from '../values/errors.js';
import type { DeniedRequest } from '../values/errors.js';
import { notifySubscribers } from '../values/events.js';
import type { DomainEvent, EventType } from '../values/events.js';
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

/** Each has what the ones before it have. */
const PLANS: readonly Settings['plan'][] = ['free', 'premium', 'ultimate'];

/** An event, and the context that recorded it: whom it is told of, and on whose transaction. */
export interface RecordedEvent<K extends EventType = EventType> {
  readonly event: DomainEvent<K>;
  readonly ctx: Context<Caller>;
}

/** Who wants to know of some types of events. */
export interface Subscriber<K extends EventType = EventType> {
  readonly name: string;
  readonly types: readonly K[];
  /**
   * Runs at the end of the transaction that recorded the events, in it, once for all of them in the order that they were
   * recorded in, whoever recorded them. What it throws undoes the transaction, so it refuses nothing: rules stand in
   * operations.
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
  limiter: RateLimiter;
  /** Gives out numbers of what lies in projects; areas reach it through `takeNumber`. */
  numbers: Numbers;
  /** Where bytes lie; areas reach it through `object-store/storing.ts`. */
  objects: ObjectStore;
  /** Told what happened, in the transaction that it happened in. */
  subscribers: readonly Subscriber[];
  /** Drops what this process remembers of tokens and users: called once a change to either is committed. */
  forgetCallers(): void;
  /** Keeps for an hour why a request was refused (decision 79). */
  logDenial(error: unknown, at: DeniedRequest): void;
}

/** Where a request came from, for audit events and rate limits, and on what condition. */
export interface Origin {
  requestId: string;
  ip: string | null;
  /** What the client says of itself. */
  userAgent?: string;
  /** The page that a browser came from. */
  referer?: string;
  /** What the client got for solving a CAPTCHA, and the entry of the spam log that it was asked for it by. */
  captcha?: { readonly response: string; readonly spamLogId: number | null };
  /** Whom audit events name where nobody is signed in. */
  actor?: string;
  /** `If-Unmodified-Since` of a DELETE. */
  unmodifiedSince?: Date | null;
  /** Ends with the client, or when a job's time is up; left out where nothing ends early. */
  signal?: AbortSignal;
  /** What a statement of a transaction may take, where that is more than all work of its kind. */
  statementSeconds?: number;
  /** What the request has committed, for the reads that make its answer. */
  after?: AfterCommit;
  /** In a job: what the jobs that it sends are about, and for whom. */
  job?: JobOrigin;
}

/** Of what nobody ends early. */
const NEVER_ENDS = new AbortController().signal;

/**
 * Made for each request or job, never global. Its type says who may be asking: a user or nobody unless it says more, so
 * that what looks at a user's rights is out of reach for callers of other kinds (decision 36). Reads run on the pool;
 * inside {@link Context.transaction} everything, jobs included, runs on its transaction.
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
  /** What serializers' loads brought, beside the records. */
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
    // What asks without an address is the process itself.
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

  /** What the instance is set to, as of at most a second ago. */
  get settings(): Settings {
    return this.services.settings.current;
  }

  /** Whether the instance's plan has what `plan` and those above it have (contract/README.md "Plans and offerings"). */
  hasPlan(plan: Settings['plan']): boolean {
    return PLANS.indexOf(this.settings.plan) >= PLANS.indexOf(plan);
  }

  /**
   * Aborted once nobody waits for the result: the client of a request is gone, or a job is given to another worker.
   * What takes long ends with it.
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
    // Of the contexts of one request, the reads are those of the context that they are asked by.
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

  /** Says what is being done, and about what: jobs that are sent from now on tell so. */
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

  /** Reads asked for at the same time, as by `Promise.all`, go to the database together and come back together. */
  query<T>(statement: Statement | OperationNodeSource): Promise<T[]> {
    return this.rows<T>(asStatement(statement));
  }

  /** The same for a statement that is compiled already. */
  rows<T>(statement: Statement): Promise<T[]> {
    return this.#em ? queryInTransaction<T>(this.#em, statement) : this.#reads.add<T>(statement);
  }

  /**
   * Runs `work` in one transaction, committed when it returns. Nested calls join the open one.
   * A client that leaves does not end it: what was begun is done or undone as a whole.
   * @throws what a unique index's refusal stands for (`onUniqueViolation`), Conflict when others hold the rows, CommitUnknown
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
   * Tells what happened to whoever must know (decision 34), at the end of the open transaction and in it. An event only
   * tells: it decides nothing.
   */
  record(...events: DomainEvent[]): void {
    if (!this.#em) throw new Error('What happened is recorded in the transaction of the change.');
    for (const event of events) this.#recorded.push({ event, ctx: this });
  }

  /**
   * Tells now what was recorded so far: before something that no rollback takes back, such as moving refs in git. What
   * fails then leaves it undone.
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

/** Of a user: what writes who did it, or acts on what is the caller's own. */
export type SignedInContext = Context<UserCaller>;
