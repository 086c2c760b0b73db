import { Invalid } from '../../core/values/errors.js';
import type { Job } from '../pipelines/job.entity.js';

export const COMMIT_STATES = ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'] as const;
export type CommitState = (typeof COMMIT_STATES)[number];

/** The states that an executor may report, each with its event and the states it is allowed from. */
const EVENTS: Record<CommitState, { event: string; from: readonly string[] }> = {
  pending: { event: 'enqueue', from: ['created'] },
  running: { event: 'run', from: ['created', 'pending'] },
  success: { event: 'success', from: ['created', 'pending', 'running'] },
  failed: { event: 'drop', from: ['created', 'pending', 'running'] },
  canceled: { event: 'cancel', from: ['created', 'pending', 'running'] },
  skipped: { event: 'skip', from: ['created', 'pending'] },
};

/**
 * The job's fields after the transition to the state that its executor reports, including the matching timestamps.
 * @throws Invalid with the public API's message if the transition is not allowed
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
