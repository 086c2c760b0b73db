import type { Caller } from '../context/callers.js';
import type { Context } from '../context/context.js';
import { PreconditionFailed } from '../values/errors.js';

interface Timestamped {
  updated_at?: Date | null;
  created_at?: Date | null;
}

/**
 * Refuses to delete a record that was changed after the time in `If-Unmodified-Since` (rest-conventions.md section 4).
 * This header has whole seconds, so the fraction of the record's time does not count. Operations whose resource is the
 * record declare `conditional: true` instead.
 * @throws PreconditionFailed
 */
export function requireUnmodified(ctx: Context<Caller>, record: Timestamped): void {
  const since = ctx.origin.unmodifiedSince;
  const changed = record.updated_at ?? record.created_at;
  if (!since || !changed) return;
  const seconds = (time: Date) => Math.floor(time.getTime() / 1000);
  if (seconds(changed) > seconds(since)) throw new PreconditionFailed();
}
