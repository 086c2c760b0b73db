import { useState } from 'react';
import { useNavigate } from 'react-router';
import { jobsPath } from '../../../app/routing/paths.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Button } from '../../../ui/Button.js';
import { isCancelable, isErasable, isPlayable, isRetryable } from './job-rights.js';
import styles from './Jobs.module.css';
import { PlayDialog } from './PlayDialog.js';
import { useMoveJob } from './queries.js';
import type { Job } from './queries.js';

interface JobMovesProps {
  path: string;
  job: Job;
  onSaid: (message: string) => void;
}

/** What can be done with a job: cancel, retry, start with variables, erase. */
export function JobMoves({ path, job, onSaid }: JobMovesProps) {
  const move = useMoveJob(path, job.id);
  const navigate = useNavigate();
  const [asking, ask] = useState<'play' | 'erase' | null>(null);
  const close = () => {
    ask(null);
    move.reset();
  };
  return (
    <div className={styles.moves}>
      {move.error && asking === null && <Problem error={move.error} />}
      {isCancelable(job) && (
        <Button
          busy={move.isPending}
          onClick={() => move.mutate({ does: 'cancel' }, { onSuccess: () => onSaid('The job is being canceled.') })}
        >
          Cancel
        </Button>
      )}
      {isPlayable(job) && (
        <>
          <Button
            kind="primary"
            busy={move.isPending && asking === null}
            onClick={() =>
              move.mutate({ does: 'play', variables: [] }, { onSuccess: () => onSaid('The job was started.') })
            }
          >
            {job.status === 'scheduled' ? 'Start now' : 'Start'}
          </Button>
          {job.status === 'manual' && <Button onClick={() => ask('play')}>Start with variables</Button>}
        </>
      )}
      {isRetryable(job) && (
        <Button
          busy={move.isPending && asking === null}
          onClick={() => move.mutate({ does: 'retry' }, { onSuccess: ({ id }) => void navigate(jobsPath(path, id)) })}
        >
          Retry
        </Button>
      )}
      {isErasable(job) && (
        <Button kind="quiet" onClick={() => ask('erase')}>
          Erase log
        </Button>
      )}
      {asking === 'play' && (
        <PlayDialog
          name={job.name}
          busy={move.isPending}
          problem={move.error}
          onClose={close}
          onPlay={(variables) =>
            move.mutate(
              { does: 'play', variables },
              {
                onSuccess: () => {
                  close();
                  onSaid('The job was started.');
                },
              },
            )
          }
        />
      )}
      {asking === 'erase' && (
        <Confirm
          title={`Erase the log of ${job.name}?`}
          does="Erase"
          danger
          busy={move.isPending}
          problem={move.error}
          onClose={close}
          onConfirm={() =>
            move.mutate(
              { does: 'erase' },
              {
                onSuccess: () => {
                  close();
                  onSaid('The log was erased.');
                },
              },
            )
          }
        >
          <p>The log will be deleted, the job stays. This can't be undone.</p>
        </Confirm>
      )}
    </div>
  );
}
