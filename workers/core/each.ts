import type { Context } from '../../shared/core/context/context.js';
import type { FailedJob } from './handler.js';

/**
 * Does the jobs of a batch one after the other, those of one key at once, until the batch's time is over. One that
 * fails holds no other up.
 * @returns which of them failed, each with its own error
 * @throws the reason of the batch's end
 */
export async function eachOnce<P, K>(
  ctx: Context,
  payloads: readonly P[],
  keyOf: (payload: P) => K,
  work: (key: K) => Promise<void>,
): Promise<FailedJob[]> {
  const failed: FailedJob[] = [];
  const indexesByKey = Map.groupBy(payloads.keys(), (index) => keyOf(payloads[index] as P));
  for (const [key, indexes] of indexesByKey) {
    ctx.signal.throwIfAborted();
    await work(key).catch((error: unknown) => failed.push(...indexes.map((index) => ({ index, error }))));
  }
  return failed;
}
