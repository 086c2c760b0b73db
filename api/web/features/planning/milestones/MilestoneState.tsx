import { State } from '../../../ui/State.js';
import type { Milestone } from './queries.js';

/** The state of a milestone as a label, including expired. */
export function MilestoneState({ milestone: { state, expired } }: { milestone: Milestone }) {
  if (state === 'closed') return <State tone="quiet">closed</State>;
  return expired ? <State tone="bad">overdue</State> : <State tone="good">open</State>;
}

/** A calendar date in UTC, or a text if there is none. */
export function Day({ day, none }: { day: string | null; none: string }) {
  return day === null ? none : <time dateTime={day}>{day}</time>;
}
