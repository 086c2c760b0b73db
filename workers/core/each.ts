import type { Context } from '../../shared/core/context.js';

/**
 * Does the jobs of a batch one after the other, until the batch's time is over. One that fails holds no other up: the
 * batch is handed back once all were tried, and those that are done are found done the next time.
 * @throws what the first one failed with
 */
export async function each<P>(
  ctx: Context,
  payloads: readonly P[],
  work: (payload: P) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const payload of payloads) {
    ctx.signal.throwIfAborted();
    await work(payload).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
