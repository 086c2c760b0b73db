import type { StatusCounts } from './combine-statuses.js';

/** What a job waits for. */
export interface Predecessors {
  counts: StatusCounts;
  /** Whether they are the jobs that it needs, or all jobs of the stages before its own. */
  byNeeds: boolean;
}

/** `wait`: something before the job is not over; `start`: it may begin; `skip`: what is before it ended otherwise. */
export type JobReadiness = 'wait' | 'start' | 'skip';

const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  on_success: ['success'],
  manual: ['success'],
  delayed: ['success'],
  on_failure: ['failed'],
  always: ['success', 'failed', 'skipped'],
};

/** The state in which what is before a job is; without anything before it, that it succeeded. */
function getPredecessorStatus({ counts, byNeeds }: Predecessors): string {
  if (counts.isEmpty) return 'success';
  if (byNeeds && counts.has('skipped', 'ignored')) return 'skipped';
  return counts.status as string;
}

/** Decides whether a job may begin, by its `when` and the states of the jobs before it (ci-execution.md 8). */
export function decideReadiness(when: string, predecessors: Predecessors): JobReadiness {
  if (predecessors.counts.hasUnfinished) return 'wait';
  const status = getPredecessorStatus(predecessors);
  const accepted = ACCEPTED[when] ?? [];
  const acceptsSkipped = !predecessors.byNeeds && accepted.includes('success');
  return accepted.includes(status) || (acceptsSkipped && status === 'skipped') ? 'start' : 'skip';
}

/** The state of a job that may begin. */
export function getStartStatus(when: string, hasResource: boolean): string {
  if (when === 'manual') return 'manual';
  if (when === 'delayed') return 'scheduled';
  return getQueuedStatus(hasResource);
}

/** The state of a job that begins now: by itself, by a user, or because its time has come. */
export const getQueuedStatus = (hasResource: boolean): 'waiting_for_resource' | 'pending' =>
  hasResource ? 'waiting_for_resource' : 'pending';
