import type { Context } from './context.js';

/** Reads the related data for each record of a page, by the record's key; records without data are left out. */
type Read<T, K, D> = (ctx: Context, records: readonly Readonly<T>[]) => Promise<ReadonlyMap<K, D>>;

/** Data that serializers show in addition to the fields of a record, loaded for a whole page at once. */
export interface Load<T, D = unknown> {
  /** What was loaded for a record, if anything. */
  of(record: Readonly<T>, ctx: Context): D | undefined;
  /** Stores data that is already known for a record, so that the load reads nothing for it. */
  put(ctx: Context, record: Readonly<T>, data: D): void;
  /** Reads it for those records that lack it. */
  fill(ctx: Context, records: readonly Readonly<T>[]): Promise<void>;
}

let slots = 0;

/**
 * Declares a load. The loads of a serializer run together, and their statements share a round trip.
 * @param key the key of a record in the result
 */
export function load<T extends object, K, D>(
  key: (record: Readonly<T>) => K,
  read: Read<T, K, D>,
): Load<T, Exclude<D, undefined>> {
  type Data = Exclude<D, undefined>;
  const slot = slots;
  slots += 1;
  const of = (record: Readonly<T>, ctx: Context) => ctx.loaded.of(record)?.[slot] as Data | undefined;
  return {
    of,
    put: (ctx, record, data) => ctx.loaded.put(record, slot, data),
    async fill(ctx, records) {
      const lacking = records.filter((record) => of(record, ctx) === undefined);
      if (lacking.length === 0) return;
      const found = await read(ctx, lacking);
      for (const record of lacking) {
        const data = found.get(key(record));
        if (data !== undefined) ctx.loaded.put(record, slot, data);
      }
    },
  };
}
