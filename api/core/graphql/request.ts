import type { GraphQLError } from 'graphql';
import type { Context } from '../../../shared/core/context.js';
import { BatchLoader } from './batch.js';
import type { Batch } from './batch.js';

/** What resolvers share while one query or mutation runs: the caller's context, its loads and its limits. */
export class GraphqlRequest {
  // Not #private: the server that runs queries copies its context object.
  private loaders = new Map<unknown, unknown>();
  /** Errors as they were raised while it ran. */
  readonly raised: GraphQLError[] = [];

  /**
   * @param score complexity of the whole query (graphql.md section 2.1)
   * @param limit the most complexity that this caller may ask for
   * @param deadline `performance.now()` after which no further field is resolved
   */
  constructor(
    readonly ctx: Context,
    readonly score: number,
    readonly limit: number,
    readonly deadline: number,
  ) {}

  /** The record that belongs to `key`, read together with everything that other fields ask for now; or null. */
  load<K, V>(batch: Batch<K, V>, key: K): Promise<V | null> {
    let loader = this.loaders.get(batch) as BatchLoader<K, V> | undefined;
    if (!loader) {
      loader = new BatchLoader(this.ctx, batch);
      this.loaders.set(batch, loader);
    }
    return loader.load(key);
  }

  /** Drops what was loaded: a mutation changes it. */
  forget(): void {
    this.loaders.clear();
  }
}
