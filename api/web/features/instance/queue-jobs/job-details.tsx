import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { QueueJobDetail } from '../../../data/api.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { JobStateLabel } from './job-columns.js';
import styles from './Job.module.css';
import { queuePath } from './labels.js';

/** The details of a job, in addition to its arguments and attempts. Inapplicable ones are omitted. */
export function jobDetails(job: QueueJobDetail): (readonly [string, ReactNode])[] {
  const { context } = job;
  const details: (readonly [string, ReactNode])[] = [
    ['State', <JobStateLabel key="state" state={job.state} />],
    ['Queue', to(queuePath(job.queue), job.queue)],
    ['Created', <Time key="sent" at={job.created_at} />],
    ['Next attempt', job.next_run_at && <Time key="next" at={job.next_run_at} />],
    ['Started', job.started_at && <Time key="started" at={job.started_at} />],
    ['Finished', job.completed_at && <Time key="ended" at={job.completed_at} />],
    ['Attempts', `${job.attempts.length} of at most ${job.retry_limit + 1}`],
    ['Worker', job.worker && <UnbrokenText key="worker">{job.worker}</UnbrokenText>],
    ['User', context.user === null ? 'system' : to(`/${context.user}`, context.user)],
    ['Project', context.project && to(`/${context.project}`, context.project)],
    ['Namespace', context.project === null && context.root_namespace],
    ['Feature', context.feature_category?.replaceAll('_', ' ')],
    ['Created by', context.caller_id && code(context.caller_id)],
    ['Request', context.correlation_id && code(context.correlation_id)],
    ['Failed permanently', job.dead_letter && to(queuePath(job.dead_letter), job.dead_letter)],
    [
      'Error',
      job.error && (
        <span key="error">
          <span className={styles.class}>{job.error.class}</span> <UnbrokenText>{job.error.message ?? ''}</UnbrokenText>
        </span>
      ),
    ],
  ];
  return details.filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '');
}

function to(path: string, label: string): ReactNode {
  return (
    <Link to={path}>
      <UnbrokenText>{label}</UnbrokenText>
    </Link>
  );
}

function code(text: string): ReactNode {
  return (
    <code>
      <UnbrokenText>{text}</UnbrokenText>
    </code>
  );
}
