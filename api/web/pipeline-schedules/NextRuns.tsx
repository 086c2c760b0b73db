import { Time } from '../look/Time.js';
import type { NextRun } from './queries.js';
import styles from './Schedule.module.css';

const here = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `2026-11-24 02:30` of an instant's text on a wall clock. */
const clockOf = (local: string) => local.slice(0, 16).replace('T', ' ');

/** Coming runs, on the clock of the schedule and as far away as they are, with notes on nights on which the clock changes. */
export function NextRuns({ runs, zone }: { runs: readonly NextRun[]; zone: string }) {
  if (runs.length === 0) return <p className={styles.quiet}>It never runs: its times do not come.</p>;
  const abroad = zone !== here();
  return (
    <ol className={styles.runs}>
      {runs.map(({ at, local_time: local, offset, note }) => (
        <li key={at}>
          <span>
            {clockOf(local)} {abroad && <span className={styles.zone}>UTC{offset}</span>}
          </span>
          <Time at={at} />
          {note && <span className={styles.note}>{note}</span>}
        </li>
      ))}
    </ol>
  );
}
