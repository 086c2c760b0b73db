import type { Context } from '../context/context.js';
import type { Load } from '../context/loads.js';
import type { Resource } from './operation.js';

type Input = Record<string, unknown>;

/** Asks for what a record has while the record itself is being found; null where it is not wanted. */
export type Ahead<T> = (ctx: Context, input: Input) => Promise<(record: T) => void> | null;

/**
 * A load that is asked for by what names the record, before it is known who may see it.
 * @param ask reads by the parameters; says nothing about rights
 * @param take what of it is the found record's, as far as the caller may see that
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

/** A resource that is found together with what its answer shows, by one round trip; whoever may not see it gets neither. */
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
