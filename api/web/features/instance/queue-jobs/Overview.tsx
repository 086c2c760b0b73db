import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Queue, QueueJobOverview, QueueSeries } from '../../../data/api.js';
import { Empty } from '../../../ui/Empty.js';
import { Figures } from '../../../ui/DetailList.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Sparkline } from '../../../ui/Sparkline.js';
import { State } from '../../../ui/State.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useAutoRefresh } from './auto-refresh.js';
import { JobsPage } from './JobsPage.js';
import styles from './Overview.module.css';
import { overviewQuery, processesQuery, queuesQuery, seriesQuery } from './queue-queries.js';
import { formatJobCount, queuePath, formatSeconds } from './labels.js';

/** `/admin/jobs`: whether the service keeps up with its work, and which queue does not. */
export function Overview() {
  const autoRefresh = useAutoRefresh();
  const queues = useQuery({ ...queuesQuery, ...autoRefresh.options });
  const overview = useQuery({ ...overviewQuery, ...autoRefresh.options });
  const processes = useQuery({ ...processesQuery, ...autoRefresh.options });
  const refetchOptions = autoRefresh.paused === null ? {} : { refetchInterval: false as const };
  const series = useQuery({ ...seriesQuery, ...refetchOptions });
  const seriesOf = new Map(series.data?.map((one) => [one.queue, one]));
  const failed = [queues, overview, processes].find(({ error }) => error !== null);
  // Displayed together once all of it is loaded: content that arrives later would push the rest down.
  const data = queues.data &&
    overview.data &&
    processes.data && { queues: queues.data, overview: overview.data, processes: processes.data };
  return (
    <JobsPage title="Jobs" lead="Background jobs by queue." autoRefresh={autoRefresh} looked={queues}>
      {failed?.error && <Problem error={failed.error} retry={() => void failed.refetch()} />}
      {!data && !failed && <LoadingRows label="Loading queues" rows={8} />}
      {data && (
        <>
          <Figures figures={getFigures(data.overview, data.processes)} />
          {!data.queues.some(isUsed) ? (
            <Empty>No jobs. Queues with jobs appear here with their results in the last hour.</Empty>
          ) : (
            <QueueTable queues={data.queues.filter(isUsed)} seriesOf={seriesOf} />
          )}
          <Idle queues={data.queues.filter((queue) => !isUsed(queue))} />
        </>
      )}
    </JobsPage>
  );
}

/** Whether the queue is worth displaying: it has stored jobs, or it is paused. */
const isUsed = ({ total, paused }: Queue): boolean => total > 0 || paused;

/** Queues that have no jobs: most of them on a new instance. */
function Idle({ queues }: { queues: readonly Queue[] }) {
  if (queues.length === 0) return null;
  return (
    <details className={styles.idle}>
      <summary>
        {queues.length} {queues.length === 1 ? 'queue has' : 'queues have'} no jobs
      </summary>
      <ul className={styles.names}>
        {queues.map(({ name }) => (
          <li key={name}>
            <Link to={queuePath(name)}>
              <UnbrokenText>{name}</UnbrokenText>
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}

type Series = QueueSeries | undefined;

/** The numbers that say whether something is wrong. */
function getFigures(overview: QueueJobOverview, processes: readonly { stale: boolean }[]) {
  const alive = processes.filter(({ stale }) => !stale).length;
  return [
    ['Ready', count(overview.enqueued)],
    ['Later', count(overview.deferred)],
    ['Running', count(overview.active)],
    ['Failed permanently', count(overview.dead)],
    ['Failed, last hour', count(overview.failed_last_hour)],
    ['Oldest waiting', formatWait(overview.oldest_waiting_seconds)],
    ['Processes', alive === processes.length ? count(alive) : `${alive} of ${processes.length}`],
  ] as const;
}

const count = (number: number): string => number.toLocaleString('en');

const formatWait = (seconds: number): string => (seconds === 0 ? 'none' : formatSeconds(seconds));

interface QueueTableProps {
  queues: readonly Queue[];
  seriesOf: ReadonlyMap<string, Series>;
}

function QueueTable({ queues, seriesOf }: QueueTableProps) {
  return (
    <Table
      caption="Queues"
      rows={troubledFirst(queues)}
      keyOf={({ name }) => name}
      columns={[
        { title: 'Queue', cell: (queue) => <Name queue={queue} /> },
        { title: 'Last hour', cell: ({ name }) => <Trend name={name} series={seriesOf.get(name)} /> },
        { title: 'Ready', end: true, cell: ({ ready }) => count(ready) },
        { title: 'Running', end: true, cell: ({ active }) => count(active) },
        { title: 'Failed', end: true, cell: ({ name, failed }) => <Failed name={name} failed={failed} /> },
        { title: 'Oldest waiting', end: true, cell: ({ latency_seconds }) => formatWait(latency_seconds) },
      ]}
    />
  );
}

function Name({ queue: { name, paused } }: { queue: Queue }) {
  return (
    <>
      <Link to={queuePath(name)}>
        <UnbrokenText>{name}</UnbrokenText>
      </Link>{' '}
      {paused && <State tone="warn">paused</State>}
    </>
  );
}

function Failed({ name, failed }: { name: string; failed: number }) {
  if (failed === 0) return '0';
  return (
    <Link to={`${queuePath(name)}?state=failed`} aria-label={`${formatJobCount(failed)} of ${name} failed`}>
      <State tone="bad">{count(failed)}</State>
    </Link>
  );
}

/** Queues with failed jobs, long waits or a pause come first; each part remains sorted by name. */
const troubledFirst = (queues: readonly Queue[]): readonly Queue[] =>
  queues.toSorted((one, other) => Number(isTroubled(other)) - Number(isTroubled(one)));

/** Seconds after which a queue lags. */
const LAG = 60;

const isTroubled = ({ failed, paused, latency_seconds: seconds }: Queue) => failed > 0 || paused || seconds >= LAG;

/** What was done each minute, and what of it failed. */
function Trend({ name, series }: { name: string; series: Series }) {
  const { completed: done = [], failed = [] } = series ?? {};
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return (
    <Sparkline
      label={`${name} in the last hour: ${count(sum(done))} done, ${count(sum(failed))} failed`}
      series={[
        { values: done.length === 0 ? [0] : done, tone: sum(done) > 0 ? 'good' : 'quiet' },
        ...(sum(failed) > 0 ? [{ values: failed, tone: 'bad' as const }] : []),
      ]}
    />
  );
}
