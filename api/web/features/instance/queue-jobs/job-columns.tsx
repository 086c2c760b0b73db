import { Link } from 'react-router';
import type { QueueJob } from '../../../data/api.js';
import { State } from '../../../ui/State.js';
import type { Column } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import styles from './Queue.module.css';
import { ID_LENGTH, queuePath, formatState, getTone } from './labels.js';
import type { JobState } from './labels.js';

const name: Column<QueueJob> = {
  title: 'Job',
  cell: ({ id }) => (
    <Link to={`/admin/jobs/${id}`} aria-label={`Job ${id}`}>
      <code>{id.slice(0, ID_LENGTH)}</code>
    </Link>
  ),
};

const queue: Column<QueueJob> = {
  title: 'Queue',
  cell: ({ queue: of }) => (
    <Link to={queuePath(of)}>
      <UnbrokenText>{of}</UnbrokenText>
    </Link>
  ),
};

const about: Column<QueueJob> = {
  title: 'For',
  cell: ({ context: { user, project, caller_id: caller } }) => (
    <>
      <UnbrokenText>{user ?? 'the service'}</UnbrokenText>
      {(project ?? caller) && (
        <span className={styles.quiet}>
          <UnbrokenText>{project ?? caller ?? ''}</UnbrokenText>
        </span>
      )}
    </>
  ),
};

const tries: Column<QueueJob> = {
  title: 'Attempts',
  end: true,
  cell: ({ retry_count: again, retry_limit: limit, started_at: started }) =>
    `${started === null ? 0 : again + 1} of ${limit + 1}`,
};

const error: Column<QueueJob> = {
  title: 'Last error',
  cell: ({ error: fault }) =>
    fault === null ? (
      'none'
    ) : (
      <>
        <strong className={styles.class}>{fault.class}</strong> <UnbrokenText>{fault.message ?? ''}</UnbrokenText>
      </>
    ),
};

const sent: Column<QueueJob> = { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> };

const due: Column<QueueJob> = {
  title: 'Scheduled',
  cell: ({ blocked, start_after: at }) =>
    blocked ? <State tone="quiet">waiting for other jobs</State> : <Time at={at} />,
};

const started: Column<QueueJob> = {
  title: 'Started',
  cell: ({ started_at: at }) => (at === null ? 'never' : <Time at={at} />),
};

const endColumn: Column<QueueJob> = {
  title: 'Finished',
  cell: ({ completed_at: at }) => (at === null ? 'not yet' : <Time at={at} />),
};

const BY_STATE: Record<JobState, readonly Column<QueueJob>[]> = {
  created: [sent, due],
  retry: [tries, error, due],
  active: [tries, sent, started],
  failed: [tries, error, endColumn],
  cancelled: [tries, sent, endColumn],
  completed: [tries, sent, endColumn],
};

/** The columns of a list of jobs, by their state. With the queue, if the list covers several. */
export const getColumns = (state: JobState, ofSeveral: boolean): readonly Column<QueueJob>[] => [
  name,
  ...(ofSeveral ? [queue] : []),
  about,
  ...BY_STATE[state],
];

/** A job's state as a label. */
export function JobStateLabel({ state }: { state: string }) {
  return <State tone={getTone(state)}>{formatState(state)}</State>;
}
