import { Time } from '../../../ui/Time.js';
import type { NextRun } from './queries.js';
import styles from './Schedule.module.css';

const here = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `Tue 2026-11-24 02:30` of an instant's text on a wall clock. */
function getClock(local: string): string {
  const day = new Date(`${local}Z`).toLocaleDateString('en-GB', { weekday: 'short', timeZone: 'UTC' });
  return `${day} ${local.slice(0, 16).replace('T', ' ')}`;
}

/** The same instant on the viewer's clock; with its day only if that differs. */
function getHere(at: string, local: string): string {
  const date = new Date(at);
  const mine = date.toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
  const [day, time] = mine.split(' ');
  return local.startsWith(String(day))
    ? String(time)
    : `${date.toLocaleDateString('en-GB', { weekday: 'short' })} ${time}`;
}

/** Coming runs, on the clock of the schedule and as far away as they are, with notes on nights on which the clock changes. */
export function NextRuns({ runs, zone }: { runs: readonly NextRun[]; zone: string }) {
  if (runs.length === 0) return <p className={styles.quiet}>This schedule never runs: no matching times.</p>;
  const abroad = zone !== here();
  return (
    <ol className={styles.runs}>
      {runs.map(({ at, local_time: local, offset, note }) => (
        <li key={at}>
          <span>
            {getClock(local)}{' '}
            {abroad && (
              <span className={styles.zone}>
                UTC{offset}, {getHere(at, local)} for you
              </span>
            )}
          </span>
          <Time at={at} />
          {note && <span className={styles.note}>{note}</span>}
        </li>
      ))}
    </ol>
  );
}
