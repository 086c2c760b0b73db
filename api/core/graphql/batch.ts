import DataLoader from 'dataloader';
import type { Context } from '../../../shared/core/context/context.js';
import type { TurnScheduler } from './turn-scheduler.js';

/** Reads what belongs to many keys with one statement. A key that is absent from the result has nothing. */
export type Batch<K, V> = (ctx: Context, keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;

/** What a key has, or null; where many have something, given in a later turn of the event loop. */
export type LoadedValue<V> = Promise<V | null> | V | null;

/**
 * Collects the keys that the fields of one request ask for at the same moment, reads them together, and remembers
 * the results until it is thrown away: no statement per node of a list.
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
    // By then every field that could be resolved without waiting has asked.
    { batchScheduleFn: (send) => void scheduler.settled().then(send) },
  );
}
