import type { Load } from '../../../shared/core/context/loads.js';
import type { Batch } from './batch.js';
import type { GraphqlRequest } from './request.js';

const batches = new WeakMap<object, unknown>();

/** The data that a serializer's load reads for a record, batched with the requests of other fields. */
export function loadField<T extends object, D>(
  request: GraphqlRequest,
  load: Load<T, D>,
  record: Readonly<T>,
): Promise<D | null> {
  let batch = batches.get(load) as Batch<Readonly<T>, D> | undefined;
  if (!batch) {
    batch = async (ctx, records) => {
      await load.fill(ctx, records);
      return new Map(
        records.flatMap((one) => {
          const data = load.of(one, ctx);
          return data === undefined ? [] : [[one, data] as const];
        }),
      );
    };
    batches.set(load, batch);
  }
  return request.load(batch, record);
}
