import { schedulePath } from '../../../app/routing/paths.js';
import { Link } from 'react-router';
import { Table } from '../../../ui/Table.js';
import type { Column } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import type { ForecastSchedule } from './forecast-queries.js';
import styles from './Schedules.module.css';
import { Times } from './schedule-columns.js';

const getClock = (at: string) => new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

const COLUMNS: readonly Column<ForecastSchedule>[] = [
  {
    title: 'Schedule',
    cell: ({ id, description, project }) => (
      <>
        <Link className={styles.name} to={schedulePath(project.path_with_namespace, id)}>
          <UnbrokenText>{description}</UnbrokenText>
        </Link>
        <span className={styles.quiet}>
          <UnbrokenText>{project.path_with_namespace}</UnbrokenText>
        </span>
      </>
    ),
  },
  { title: 'Times', cell: (schedule) => <Times schedule={schedule} /> },
  {
    title: 'Runs at',
    cell: ({ first_at: first, last_at: last, moments }) => (
      <>
        {moments === 1
          ? getClock(first)
          : `${moments.toLocaleString('en')} times, ${getClock(first)} to ${getClock(last)}`}
        <span className={styles.quiet}>
          <Time at={first} />
        </span>
      </>
    ),
  },
  { title: 'Owner', cell: ({ owner }) => owner?.name ?? 'none' },
];

const POLICY_LABELS: Readonly<Record<string, string>> = {
  last: 'latest runs',
  all: 'all run',
  skip: 'none run',
};

const POLICY: Column<ForecastSchedule> = {
  title: 'Missed runs',
  cell: ({ missed_policy: policy }) => POLICY_LABELS[policy],
};

const AFTER: Column<ForecastSchedule> = {
  title: 'After recovery',
  cell: ({ after_outage: { fires, missed } }) =>
    [fires > 0 ? `runs ${fires === 1 ? 'once' : `${fires} times`}` : '', missed > 0 ? `${missed} missed` : '']
      .filter(Boolean)
      .join(', '),
};

interface FiringTableProps {
  caption: string;
  rows: readonly ForecastSchedule[];
  /** With what becomes of it where the service is down meanwhile. */
  outage?: boolean;
}

/** Schedules that fire within a time. */
export function FiringTable({ caption, rows, outage = false }: FiringTableProps) {
  const columns = outage ? [...COLUMNS.slice(0, -1), POLICY, AFTER] : COLUMNS;
  return <Table caption={caption} rows={rows} keyOf={({ id }) => id} columns={columns} />;
}
