import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { QueueSchedule } from '../../../data/api.js';
import { Button } from '../../../ui/Button.js';
import { Empty } from '../../../ui/Empty.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Said } from '../../../ui/Said.js';
import { State } from '../../../ui/State.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useAutoRefresh } from './auto-refresh.js';
import styles from './Job.module.css';
import { JobsPage } from './JobsPage.js';
import { recurringQuery, useRunNow } from './queue-queries.js';
import { queuePath, formatSeconds, formatState, getTone } from './labels.js';

/** `/admin/jobs/recurring`: the service's recurring jobs, their next runs, and the result of the last one. */
export function Recurring({ mayAct }: { mayAct: boolean }) {
  const autoRefresh = useAutoRefresh();
  const recurring = useQuery({ ...recurringQuery, ...autoRefresh.options });
  const run = useRunNow();
  const [said, setSaid] = useState('');
  const runNow = (job: QueueSchedule) => run.mutate(job, { onSuccess: () => setSaid(`${job.name} was queued.`) });
  return (
    <JobsPage
      title="Recurring jobs"
      lead="Jobs that run on a schedule. Runs missed while no process was active are skipped."
      autoRefresh={autoRefresh}
      looked={recurring}
    >
      <Said>{said}</Said>
      {(run.error ?? recurring.error) && <Problem error={(run.error ?? recurring.error) as Error} />}
      {recurring.isPending && <LoadingRows label="Loading recurring jobs" rows={8} />}
      {recurring.data?.length === 0 && (
        <Empty>No recurring jobs yet. They appear once a worker process has started.</Empty>
      )}
      {recurring.data && recurring.data.length > 0 && (
        <Table
          caption="Recurring jobs"
          rows={recurring.data}
          keyOf={({ name, key }) => `${name} ${key}`}
          columns={[
            { title: 'Job', cell: (job) => <Name job={job} /> },
            { title: 'Every', cell: ({ every_seconds }) => formatSeconds(every_seconds) },
            { title: 'Next', cell: (job) => <Next job={job} /> },
            { title: 'Last run', cell: (job) => <Last job={job} /> },
            ...(mayAct
              ? [
                  {
                    title: 'Actions',
                    actions: true,
                    end: true,
                    cell: (job: QueueSchedule) => (
                      <span className={styles.action}>
                        <Button
                          kind="quiet"
                          aria-label={`Run now: ${job.name}`}
                          busy={run.isPending}
                          onClick={() => runNow(job)}
                        >
                          Run now
                        </Button>
                      </span>
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
    </JobsPage>
  );
}

function Name({ job: { name, feature_category: category } }: { job: QueueSchedule }) {
  return (
    <>
      <Link to={queuePath(name)}>
        <UnbrokenText>{name}</UnbrokenText>
      </Link>
      <span className={styles.quiet}>{category.replaceAll('_', ' ')}</span>
    </>
  );
}

/** The next run; later ones on request. */
function Next({ job: { paused, next_runs: runs } }: { job: QueueSchedule }) {
  const [first, ...later] = runs as string[];
  return (
    <>
      {paused && <State tone="warn">queue paused</State>}
      {first && (
        <details className={styles.stack}>
          <summary>
            <Time at={first} />
          </summary>
          <ol className={styles.names}>
            {later.map((at) => (
              <li key={at}>
                <Time at={at} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

function Last({ job: { last_run_at: at, last_result: result, last_job_id: id } }: { job: QueueSchedule }) {
  if (at === null || id === null) return <State tone="quiet">not run yet</State>;
  return (
    <>
      <Link to={`/admin/jobs/${id}`}>
        <State tone={getTone(result ?? '')}>{formatState(result ?? 'unknown')}</State>
      </Link>{' '}
      <Time at={at} />
    </>
  );
}
