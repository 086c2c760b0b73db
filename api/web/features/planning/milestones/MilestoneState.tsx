import { State } from '../../../ui/State.js';
import type { Milestone } from './queries.js';

/** Where a milestone stands, in words: its last day may have passed. */
export function MilestoneState({ milestone: { state, expired } }: { milestone: Milestone }) {
  if (state === 'closed') return <State tone="quiet">closed</State>;
  return expired ? <State tone="bad">open, past its last day</State> : <State tone="good">open</State>;
}

/** A day of the calendar, UTC; in words where there is none. */
export function Day({ day, none }: { day: string | null; none: string }) {
  return day === null ? none : <time dateTime={day}>{day}</time>;
}
