import { State } from '../ui/State.js';
import { useNow } from '../ui/now.js';

/** The day on which an issue is to be done, and whether it has passed, UTC. */
export function DueDay({ day, open }: { day: string; open: boolean }) {
  const now = useNow();
  const overdue = open && day < new Date(now).toISOString().slice(0, 10);
  const time = <time dateTime={day}>{day}</time>;
  return overdue ? <State tone="bad">{time} overdue</State> : time;
}
