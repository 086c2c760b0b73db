import { ALL_SCHEDULES, schedulePath, schedulesPath } from '../../../app/routing/paths.js';
import { Link } from 'react-router';
import type { Schedule } from '../../../data/api.js';
import { useNow } from '../../../ui/now.js';
import { formatRelativeTime } from '../../../ui/format-time.js';
import styles from './NextHour.module.css';
import { WITHIN_HOUR } from './queries.js';

const MINUTE_MS = 60_000;
const MINUTES = 60;
const HOUR_MS = MINUTES * MINUTE_MS;
/** Marks of the scale, in minutes. */
const SCALE = [0, 15, 30, 45, 60];
/** Number of schedules listed per minute. */
const MAX_NAMES = 3;

/** Schedules that fire in the same minute. */
interface Firing {
  at: number;
  schedules: Schedule[];
}

/** Schedules that run within the hour, by the minute, the next first: each schedule as often as it does. */
function listFirings(schedules: readonly Schedule[], now: number): Firing[] {
  const found = new Map<number, Firing>();
  for (const schedule of schedules)
    for (const at of ((schedule.coming_runs ?? []) as string[]).map(Date.parse)) {
      if (at <= now || at > now + HOUR_MS) continue;
      const firing = found.get(at) ?? { at, schedules: [] };
      firing.schedules.push(schedule);
      found.set(at, firing);
    }
  return [...found.values()].toSorted((one, other) => one.at - other.at);
}

const getClock = (at: number) => new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

function formatFiring({ at, schedules }: Firing, now: number): string {
  const names = schedules.slice(0, MAX_NAMES).map(({ description }) => description);
  const more = schedules.length - names.length;
  const list = more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
  return `${getClock(at)}, ${formatRelativeTime(new Date(at), new Date(now))}: ${list}`;
}

const share = (at: number, now: number) => `${((at - now) / HOUR_MS) * 100}%`;

/** The next sixty minutes as a strip on which each mark is what fires then, moved as time passes. */
export function NextHour({ schedules }: { schedules: readonly Schedule[] }) {
  const now = useNow();
  const firings = listFirings(schedules, now);
  const [next] = firings;
  const count = new Set(firings.flatMap((firing) => firing.schedules.map(({ id }) => id))).size;
  const more = schedules.length === WITHIN_HOUR && count === WITHIN_HOUR ? 'More than ' : '';
  return (
    <div className={styles.hour}>
      <p className={styles.text}>
        {next
          ? `${more}${count === 1 ? '1 schedule runs' : `${count} schedules run`} within the hour, the next ${formatRelativeTime(new Date(next.at), new Date(now))}.`
          : 'No schedules run within the hour.'}
      </p>
      <ol className={styles.strip} aria-label="Schedules that run within the hour">
        {firings.map((firing) => {
          const [only] = firing.schedules as [Schedule];
          const several = firing.schedules.length > 1 ? firing.schedules.length : null;
          const label = several === null ? formatFiring(firing, now) : `${several} at ${formatFiring(firing, now)}`;
          const to =
            several === null ? schedulePath(only.project.path_with_namespace, only.id) : schedulesPath(ALL_SCHEDULES);
          return (
            <li key={firing.at} className={styles.firing} style={{ insetInlineStart: share(firing.at, now) }}>
              <Link className={styles.mark} to={to} aria-label={label} title={label}>
                {several}
              </Link>
            </li>
          );
        })}
      </ol>
      <div className={styles.scale} aria-hidden>
        {SCALE.map((minutes) => (
          <span key={minutes}>{getClock(now + minutes * MINUTE_MS)}</span>
        ))}
      </div>
    </div>
  );
}
