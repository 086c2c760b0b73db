import { randomUUID } from 'node:crypto';
import type { Handler } from '../../workers/core/handler.js';
import { JobInHand } from '../../workers/instance/queue-jobs/job-in-hand.js';
import { runBatch } from '../../workers/instance/queue-jobs/run-batch.js';
import type { TestApp } from './app.js';

/** Jobs as a worker has them in hand, for these payloads. */
export function inHandOf(
  payloads: readonly object[],
  options: { signals?: readonly AbortSignal[]; expireInSeconds?: number } = {},
): JobInHand[] {
  return payloads.map((data, index) => {
    const signal = options.signals?.[index];
    return new JobInHand({
      id: randomUUID(),
      data,
      retryCount: 0,
      expireInSeconds: options.expireInSeconds ?? 300,
      signal,
    });
  });
}

/**
 * Processes a batch of payloads as a worker does. @throws the error of the first failed job, once all were attempted
 */
export async function handled(app: TestApp, handler: Handler, payloads: readonly object[]): Promise<void> {
  const jobs = inHandOf(payloads);
  await runBatch(app.services, handler, jobs);
  const failed = jobs.find(({ outcome }) => outcome !== 'completed');
  if (failed) throw failed.error;
}
