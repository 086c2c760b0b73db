import type { Context } from '../context/context.js';
import type { Load } from '../context/loads.js';
import type { Resource } from './operation.js';

type Input = Record<string, unknown>;

/** Reads data of a record while the record itself is being found; null if the data is not needed. */
export type Ahead<T> = (ctx: Context, input: Input) => Promise<(record: T) => void> | null;

/**
 * A load that starts from the path parameters, before the caller's access to the record is known.
 * @param ask reads by the parameters; does not check permissions
 * @param take picks the data of the found record, as far as the caller may see it
 */
export function ahead<T extends object, I, R, D>(
  load: Load<T, D>,
  ask: (ctx: Context, input: I) => Promise<R> | null,
  take: (ctx: Context, read: R, record: T) => D | undefined,
): Ahead<T> {
  return (ctx, input) => {
    const pending = ask(ctx, input as I);
    if (!pending) return null;
    return pending.then((read) => (record: T) => {
      const data = take(ctx, read, record);
      if (data !== undefined) load.put(ctx, record, data);
    });
  };
}

/**
 * A resource that is found together with data for its response, in one round trip; callers without access get neither.
 */
export function foundWith<T>(resource: Resource<T>, ...loads: Ahead<T>[]): Resource<T> {
  return {
    ...resource,
    async find(ctx, input) {
      const [found, ...setters] = await Promise.all([
        resource.find(ctx, input),
        ...loads.map((ask) => ask(ctx, input)),
      ]);
      for (const setter of setters) setter?.(found);
      return found;
    },
  };
}
