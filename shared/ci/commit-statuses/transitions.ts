import { Invalid } from '../../core/values/errors.js';
import type { Job } from '../pipelines/job.entity.js';

export const COMMIT_STATES = ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'] as const;
export type CommitState = (typeof COMMIT_STATES)[number];

/** What an executor may say, as an event, and from which states it may say so. */
const EVENTS: Record<CommitState, { event: string; from: readonly string[] }> = {
  pending: { event: 'enqueue', from: ['created'] },
  running: { event: 'run', from: ['created', 'pending'] },
  success: { event: 'success', from: ['created', 'pending', 'running'] },
  failed: { event: 'drop', from: ['created', 'pending', 'running'] },
  canceled: { event: 'cancel', from: ['created', 'pending', 'running'] },
  skipped: { event: 'skip', from: ['created', 'pending'] },
};

/**
 * What a job becomes in the state that its executor reports, with the times that belong to it.
 * @throws Invalid in the public API's words for a state that does not follow
 */
export function moved(job: Pick<Job, 'status' | 'queued_at'>, state: CommitState, now: Date): Partial<Job> {
  const { event, from } = EVENTS[state];
  if (!from.includes(job.status))
    throw new Invalid(
      `Cannot transition status via :${event} from :${job.status} (Reason(s): Status cannot transition via "${event}")`,
    );
  const change = { status: state, updated_at: now };
  if (state === 'pending') return { ...change, queued_at: job.queued_at ?? now };
  if (state === 'running') return { ...change, queued_at: job.queued_at ?? now, started_at: now };
  return { ...change, finished_at: now };
}
