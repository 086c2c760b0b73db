import type { Context } from '../../../shared/core/context.js';
import type { Pace } from './pace.js';

/** Reads what belongs to many keys with one statement. A key that is absent from the result has nothing. */
export type Batch<K, V> = (ctx: Context, keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;

/**
 * Collects the keys that the fields of one request ask for at the same moment, reads them together, and remembers
 * the results until it is thrown away: no statement per node of a list.
 */
export class BatchLoader<K, V> {
  readonly #known = new Map<K, Promise<V | null>>();
  #open: { keys: K[]; found: Promise<ReadonlyMap<K, V>> } | null = null;

  constructor(
    private readonly ctx: Context,
    private readonly read: Batch<K, V>,
    private readonly pace: Pace,
  ) {}

  load(key: K): Promise<V | null> {
    let known = this.#known.get(key);
    if (!known) {
      const batch = (this.#open ??= this.#begin());
      batch.keys.push(key);
      known = batch.found.then((found) => this.pace.give(found.get(key) ?? null));
      this.#known.set(key, known);
    }
    return known;
  }

  #begin() {
    const keys: K[] = [];
    // By then every field that could be resolved without waiting has asked.
    const found = this.pace.settled().then(() => {
      this.#open = null;
      return this.read(this.ctx, keys);
    });
    return { keys, found };
  }
}
