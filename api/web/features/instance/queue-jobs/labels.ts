import type { Queue } from '../../../data/api.js';
import type { Tone } from '../../../ui/State.js';
import { formatDuration } from '../../../ui/format-time.js';

/** States of jobs in the order of a job's life, as the queue names them, and as people say them. */
export const STATES = [
  ['created', 'Waiting'],
  ['retry', 'To retry'],
  ['active', 'Running'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
  ['completed', 'Completed'],
] as const;

export type JobState = (typeof STATES)[number][0];

export type JobAction = 'retry' | 'resume' | 'cancel' | 'delete';

const TONES: Record<string, Tone> = { retry: 'warn', active: 'good', failed: 'bad', lost: 'bad', completed: 'good' };

/** Enough characters of an id to distinguish jobs. */
export const ID_LENGTH = 8;

/** `failed`, `retry`: how good a state is. */
export const getTone = (state: string): Tone => TONES[state] ?? 'quiet';

/** A state within a sentence or a cell. */
export const formatState = (state: string): string =>
  (STATES.find(([name]) => name === state)?.[1] ?? state).toLowerCase();

/** `1 job`, `1,204 jobs`. */
export const formatJobCount = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'job' : 'jobs'}`;

/** The page of a queue. */
export const queuePath = (queue: string): string => `/admin/jobs/queues/${encodeURIComponent(queue)}`;

/** `45 s`, `5 min`. */
export const formatSeconds = (count: number): string => formatDuration(count * 1000).replace('.0 s', ' s');

/** How many jobs of a queue are in a state, where the queue counts them. */
export function getCount(queue: Queue, state: JobState): number | undefined {
  if (state === 'created') return queue.ready + queue.deferred + queue.blocked;
  return state === 'active' || state === 'failed' ? queue[state] : undefined;
}

/** What can be done with a job in a state. */
export function getActions(state: string): readonly JobAction[] {
  switch (state) {
    case 'failed':
      return ['retry', 'delete'];
    case 'created':
    case 'retry':
      return ['cancel', 'delete'];
    case 'active':
      return ['cancel'];
    case 'cancelled':
      return ['resume', 'delete'];
    default:
      return ['delete'];
  }
}
