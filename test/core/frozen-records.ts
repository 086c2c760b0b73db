import type { Context } from '../../shared/core/context/context.js';
import { serializer } from '../../shared/core/operations/serializer.js';

type Load = (ctx: Context, records: readonly unknown[]) => Promise<void>;

/**
 * Makes every serializer fail, in all tests of the process, if a load or a field writes into a presented record: loaded
 * data must be stored separately.
 */
export function freezePresentedRecords(): void {
  const every = Object.getPrototypeOf(serializer('Any', {})) as { load: Load & { freezes?: boolean } };
  const load = every.load;
  if (load.freezes) return;
  every.load = Object.assign(
    function (this: unknown, ctx: Context, records: readonly unknown[]) {
      for (const record of records) Object.freeze(record);
      return load.call(this, ctx, records);
    },
    { freezes: true },
  );
}
