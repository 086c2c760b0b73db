import type DataLoader from 'dataloader';
import type { GraphQLError } from 'graphql';
import { countKey } from '../../../shared/core/context/callers.js';
import type { UserOrAnonymous } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import type { Origin, Services } from '../../../shared/core/context/context.js';
import { batchLoader } from './batch.js';
import type { Batch, LoadedValue } from './batch.js';
import { GraphqlProblem } from './errors.js';
import { MAX_NODES } from './nodes.js';
import { TurnScheduler } from './turn-scheduler.js';
import { FieldReads } from './reads.js';
import { TimeLimit } from './time-limit.js';
import { getTurnTaker } from './turns.js';

/**
 * State shared by the queries of one HTTP request: the caller, the time limit, and the scheduling relative to other
 * requests.
 */
export class Execution {
  readonly scheduler: TurnScheduler;
  readonly ctx: Context;
  #listed = 0;

  constructor(
    services: Services,
    caller: UserOrAnonymous,
    origin: Origin,
    readonly time = new TimeLimit(origin.signal),
  ) {
    this.scheduler = new TurnScheduler(getTurnTaker(countKey(caller, origin.ip)));
    this.ctx = new Context(
      services,
      caller,
      { ...origin, signal: time.signal },
      (db, asker) => new FieldReads(db, asker, this.scheduler, time),
    );
  }

  /**
   * Counts the actual size of lists and pages: some are assumed to be short, since nearly all are.
   * @throws GraphqlProblem if the response holds more objects than allowed
   */
  list(count: number): void {
    this.#listed += count;
    if (this.#listed > MAX_NODES) throw new GraphqlProblem(`Query has more than ${MAX_NODES} nodes`);
  }
}

/** What resolvers share while one query or mutation runs: the caller's context, its loads and its limits. */
export class GraphqlRequest {
  // Not #private: the server that runs queries copies its context object.
  private loaders = new Map<unknown, unknown>();
  private readonly firstObjects = new Map<string, unknown>();
  /** Errors as they were raised while it ran. */
  readonly raised: GraphQLError[] = [];

  /**
   * @param score complexity of the whole query (graphql.md section 2.1)
   * @param limit the maximum complexity for this caller
   */
  constructor(
    readonly execution: Execution,
    readonly score: number,
    readonly limit: number,
  ) {}

  get ctx(): Context {
    return this.execution.ctx;
  }

  /** The value of `key`, batched with the loads of other fields; or null. */
  load<K, V>(batch: Batch<K, V>, key: K): Promise<V | null> {
    let loader = this.loaders.get(batch) as DataLoader<K, LoadedValue<V>> | undefined;
    if (!loader) {
      loader = batchLoader(this.ctx, batch, this.execution.scheduler);
      this.loaders.set(batch, loader);
    }
    return loader.load(key) as Promise<V | null>;
  }

  /** Whether a field, by its full name, was not requested for another object before. */
  isOnly(field: string, object: unknown): boolean {
    if (!this.firstObjects.has(field)) this.firstObjects.set(field, object);
    return this.firstObjects.get(field) === object;
  }

  /** Drops what was loaded: a mutation changes it. */
  forget(): void {
    this.loaders.clear();
  }
}
