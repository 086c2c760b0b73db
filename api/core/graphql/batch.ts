import DataLoader from 'dataloader';
import type { Context } from '../../../shared/core/context/context.js';
import type { TurnScheduler } from './turn-scheduler.js';

/** Reads the values of many keys with one statement. A key that is absent from the result has no value. */
export type Batch<K, V> = (ctx: Context, keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;

/** The value of a key, or null; lists with many nodes receive it in a later turn of the event loop. */
export type LoadedValue<V> = Promise<V | null> | V | null;

/**
 * Collects the keys that the fields of one request load at the same time, reads them together, and caches the results
 * for the loader's lifetime: no statement per node of a list.
 */
export function batchLoader<K, V>(
  ctx: Context,
  read: Batch<K, V>,
  scheduler: TurnScheduler,
): DataLoader<K, LoadedValue<V>> {
  return new DataLoader<K, LoadedValue<V>>(
    async (keys) => {
      const found = await read(ctx, keys);
      return keys.map((key) => scheduler.give(found.get(key) ?? null));
    },
    // By then every field that can be resolved without waiting has requested its key.
    { batchScheduleFn: (send) => void scheduler.settled().then(send) },
  );
}
