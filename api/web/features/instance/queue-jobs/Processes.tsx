import { useQuery } from '@tanstack/react-query';
import { Empty } from '../../../ui/Empty.js';
import { Problem } from '../../../app/problems/Problem.js';
import { State } from '../../../ui/State.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { useAutoRefresh } from './auto-refresh.js';
import { JobsPage } from './JobsPage.js';
import { processesQuery } from './queue-queries.js';
import styles from './Job.module.css';

/** `/admin/jobs/processes`: which processes work, on what, and which were not seen for a while. */
export function Processes() {
  const autoRefresh = useAutoRefresh();
  const processes = useQuery({ ...processesQuery, ...autoRefresh.options });
  return (
    <JobsPage
      title="Processes"
      lead="Worker processes. A process not seen for 30 seconds is stale, and its jobs are reassigned."
      autoRefresh={autoRefresh}
      looked={processes}
    >
      {processes.error && <Problem error={processes.error} retry={() => void processes.refetch()} />}
      {processes.isPending && <LoadingRows label="Loading processes" />}
      {processes.data?.length === 0 && (
        <Empty>
          No worker processes, so jobs are not processed. Start one with <code>npm run start:workers</code>.
        </Empty>
      )}
      {processes.data && processes.data.length > 0 && (
        <Table
          caption="Processes"
          rows={processes.data}
          keyOf={({ hostname, pid, started_at }) => `${hostname}:${pid}:${started_at}`}
          columns={[
            { title: 'Process', cell: ({ hostname, pid }) => `${hostname}:${pid}` },
            {
              title: 'State',
              cell: ({ stale }) => <State tone={stale ? 'bad' : 'good'}>{stale ? 'stale' : 'alive'}</State>,
            },
            { title: 'Busy', end: true, cell: ({ busy, concurrency }) => `${busy} of ${concurrency}` },
            { title: 'Started', cell: ({ started_at }) => <Time at={started_at} /> },
            { title: 'Last seen', cell: ({ last_seen }) => <Time at={last_seen} /> },
            { title: 'Version', cell: ({ version }) => version },
            { title: 'Queues', cell: ({ queues }) => <Queues names={queues} /> },
          ]}
        />
      )}
    </JobsPage>
  );
}

/** A process works on most queues: their number, and the names on request. */
function Queues({ names }: { names: readonly string[] }) {
  return (
    <details className={styles.stack}>
      <summary>{names.length}</summary>
      <ul className={styles.names}>
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
