import { schedulePath } from '../../../app/routing/paths.js';
import type { ScheduleScope } from '../../../app/routing/paths.js';
import { Link } from 'react-router';
import type { Column } from '../../../ui/Table.js';
import { State } from '../../../ui/State.js';
import { Time } from '../../../ui/Time.js';
import { formatClock, formatDuration } from '../../../ui/format-time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import type { ListedSchedule, RecentRun } from './queries.js';
import { RunBars } from './RunBars.js';
import styles from './Schedules.module.css';
import { formatRef, formatCron } from './labels.js';

const columnsWith = (withProject: boolean): readonly Column<ListedSchedule>[] => [
  { title: 'Schedule', cell: (schedule) => <Name schedule={schedule} withProject={withProject} /> },
  { title: 'Times', cell: (schedule) => <Times schedule={schedule} /> },
  { title: 'Next run', cell: (schedule) => <NextRun schedule={schedule} /> },
  { title: 'Last 30 runs', cell: ({ recent }) => <RunBars runs={recent} /> },
  { title: 'Lateness', cell: ({ recent }) => <Lateness runs={recent} /> },
  { title: 'Owner', cell: ({ owner }) => <Owner owner={owner} /> },
];

const [OF_ONE, OF_SEVERAL] = [columnsWith(false), columnsWith(true)];

/** The columns of a list of schedules; with their project if the list covers several. */
export const getColumns = ({ kind }: ScheduleScope) => (kind === 'project' ? OF_ONE : OF_SEVERAL);

function Name({ schedule, withProject }: { schedule: ListedSchedule; withProject: boolean }) {
  const { id, description, ref, project } = schedule;
  return (
    <>
      <Link className={styles.name} to={schedulePath(project.path_with_namespace, id)}>
        <UnbrokenText>{description}</UnbrokenText>
      </Link>
      <span className={styles.quiet}>
        {withProject && (
          <>
            <UnbrokenText>{project.path_with_namespace}</UnbrokenText>,{' '}
          </>
        )}
        <code>
          <UnbrokenText>{formatRef(ref)}</UnbrokenText>
        </code>
      </span>
    </>
  );
}

/** The description and the text of the cron expression, and its time zone. */
export function Times({
  schedule: { cron, cron_timezone: zone },
}: {
  schedule: { cron: string; cron_timezone: string };
}) {
  const description = formatCron(cron);
  return (
    <>
      {description && (
        <span>
          <UnbrokenText>{description}</UnbrokenText>
        </span>
      )}
      <span className={styles.quiet}>
        <code>
          <UnbrokenText>{cron}</UnbrokenText>
        </code>{' '}
        <UnbrokenText>{zone}</UnbrokenText>
      </span>
    </>
  );
}

/** The owner with whose permissions it runs, and why these may be insufficient. */
export function Owner({ owner }: { owner: ListedSchedule['owner'] }) {
  if (!owner) return <State tone="bad">none: take ownership</State>;
  return (
    <>
      <Link to={`/${owner.username}`}>
        <UnbrokenText>{owner.name}</UnbrokenText>
      </Link>
      {owner.state !== 'active' && <State tone="bad">{owner.state}</State>}
    </>
  );
}

/** An instant on the viewer's clock, and how far away it is. */
function DueTime({ at }: { at: string }) {
  return (
    <>
      <Time at={at} />
      <span className={`${styles.quiet} ${styles.whole}`}>{formatClock(new Date(at))}</span>
    </>
  );
}

/** How late the newest runs began: half of them, and the latest. */
function Lateness({ runs }: { runs: readonly RecentRun[] }) {
  const late = runs
    .flatMap(({ outcome, lateness_ms: ms }) => (ms !== null && (outcome === 'on_time' || outcome === 'late') ? ms : []))
    .toSorted((one, other) => one - other);
  const [half, most] = [late[Math.floor((late.length - 1) / 2)], late.at(-1)];
  if (half === undefined || most === undefined) return null;
  return (
    <>
      <span className={styles.whole}>{formatDuration(half)}</span>
      <span className={`${styles.quiet} ${styles.whole}`}>at most {formatDuration(most)}</span>
    </>
  );
}

/** When a schedule runs next, or why it does not. */
export function NextRun({
  schedule: { active, next_run_at: at },
}: {
  schedule: { active: boolean; next_run_at: string | null };
}) {
  if (!active) return <State tone="quiet">paused</State>;
  return at ? <DueTime at={at} /> : <State tone="warn">never: no matching times</State>;
}
