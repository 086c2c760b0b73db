import type { Context } from '../../shared/core/context/context.js';
import { serializer } from '../../shared/core/operations/serializer.js';

type Load = (ctx: Context, records: readonly unknown[]) => Promise<void>;

/**
 * Has every serializer refuse, in all tests of the process, that a load or a field writes into a record that is shown: what
 * is loaded lies beside it.
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
