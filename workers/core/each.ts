import type { Context } from '../../shared/core/context/context.js';
import type { FailedJob } from './handler.js';

/**
 * Runs the jobs of a batch in sequence, jobs with the same key together, until the batch's time is up. A failed job
 * does not hold up the others.
 * @returns the failed jobs, each with its own error
 * @throws the abort reason of the batch
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
