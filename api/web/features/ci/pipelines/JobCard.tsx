import { Ban, Play, RotateCcw } from 'lucide-react';
import { Link } from 'react-router';
import { jobsPath } from '../../../app/routing/paths.js';
import { Button } from '../../../ui/Button.js';
import { formatRelativeTime } from '../../../ui/format-time.js';
import { useNow } from '../../../ui/now.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { isCancelable, isPlayable, isRetryable, isRunning } from './job-rights.js';
import { formatSeconds } from './labels.js';
import styles from './Jobs.module.css';
import { useMoveJob } from './queries.js';
import type { Job } from './queries.js';
import { StatusIcon } from './StatusIcon.js';

interface JobCardProps {
  path: string;
  job: Job;
  mayMove: boolean;
  showsNeeds: boolean;
  isLit: boolean;
  onNear: (name: string | null) => void;
  onSaid: (message: string) => void;
}

/** A job in the graph: its state, what it needs, and the one thing that can be done with it. */
export function JobCard({ path, job, mayMove, showsNeeds, isLit, onNear, onSaid }: JobCardProps) {
  const { id, name, status, allow_failure: mayFail } = job;
  const needs = (job.needs ?? []) as readonly string[];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only shows lines, and the needs are listed in words
    <li
      className={styles.card}
      data-lit={isLit || undefined}
      onPointerEnter={() => onNear(name)}
      onPointerLeave={() => onNear(null)}
      onFocus={() => onNear(name)}
      onBlur={() => onNear(null)}
    >
      <StatusIcon status={status} mayFail={mayFail} />
      <span className={styles.name}>
        <Link to={jobsPath(path, id)}>
          <UnbrokenText>{name}</UnbrokenText>
        </Link>
        <JobNote job={job} />
        {needs.length > 0 && (
          <span className={showsNeeds ? styles.quiet : 'hidden'}>
            <UnbrokenText>{`needs ${needs.join(', ')}`}</UnbrokenText>
          </span>
        )}
      </span>
      {mayMove && <JobButton path={path} job={job} onSaid={onSaid} />}
    </li>
  );
}

/** How long the job takes or took, or when it starts. */
export function JobNote({ job }: { job: Job }) {
  const { status, scheduled_at: scheduled, started_at: started } = job;
  if (status === 'scheduled' && scheduled) return <Countdown at={scheduled} />;
  if (isRunning(job) && started)
    return (
      <span className={styles.quiet}>
        <Elapsed since={started} />
      </span>
    );
  if (status === 'manual') return <span className={styles.quiet}>waits to be started</span>;
  if (job.duration === null || started === null) return null;
  return <span className={styles.quiet}>{formatSeconds(job.duration)}</span>;
}

function Countdown({ at }: { at: string }) {
  const now = useNow();
  const date = new Date(at);
  return (
    <span className={styles.quiet}>
      starts {date.getTime() <= now ? 'now' : formatRelativeTime(date, new Date(now))}
    </span>
  );
}

/** How long something has taken up to now. */
export function Elapsed({ since }: { since: string }) {
  const now = useNow();
  return formatSeconds(Math.max(0, Math.round((now - new Date(since).getTime()) / 1000)));
}

const MOVES = {
  play: { label: 'Start', Icon: Play, done: 'started' },
  retry: { label: 'Retry', Icon: RotateCcw, done: 'retried' },
  cancel: { label: 'Cancel', Icon: Ban, done: 'canceled' },
} as const;

function getMove(job: Job): keyof typeof MOVES | null {
  if (isPlayable(job)) return 'play';
  if (isRetryable(job) && job.status !== 'success') return 'retry';
  if (isCancelable(job) && (isRunning(job) || job.status === 'pending')) return 'cancel';
  return null;
}

function JobButton({ path, job, onSaid }: { path: string; job: Job; onSaid: (message: string) => void }) {
  const move = useMoveJob(path, job.id);
  const does = getMove(job);
  if (does === null) return null;
  const { label, Icon, done } = MOVES[does];
  return (
    <span className={styles.move}>
      <Button
        kind="quiet"
        aria-label={`${label} ${job.name}`}
        title={label}
        busy={move.isPending}
        onClick={() =>
          move.mutate(does === 'play' ? { does, variables: [] } : { does }, {
            onSuccess: () => onSaid(`Job ${job.name} ${done}.`),
            onError: ({ message }) => onSaid(`Job ${job.name}: ${message}`),
          })
        }
      >
        <Icon size={16} aria-hidden />
      </Button>
    </span>
  );
}
