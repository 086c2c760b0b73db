import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { QueueJobDetail } from '../../../data/api.js';
import { Button } from '../../../ui/Button.js';
import { AskFirst } from '../../../app/dialogs/AskFirst.js';
import { usePageActions } from '../../../app/palette/page-actions.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Said } from '../../../ui/Said.js';
import styles from './Job.module.css';
import { useJobAction } from './job-queries.js';
import type { JobAction } from './labels.js';
import { getActions, queuePath } from './labels.js';

const LABELS: Record<JobAction, { does: string; done: string; warning?: string }> = {
  retry: { does: 'Retry', done: 'Job queued for retry.' },
  resume: { does: 'Resume', done: 'Job resumed.' },
  cancel: {
    does: 'Cancel job',
    done: 'Job cancelled.',
    warning: "The job won't be retried. If it's running, it is asked to stop. Work already done isn't undone.",
  },
  delete: {
    does: 'Delete',
    done: 'Job deleted.',
    warning: "The job is deleted with its arguments and attempts. This can't be undone.",
  },
};

/** The actions that the state of a job allows. */
export function JobActions({ job }: { job: QueueJobDetail }) {
  const navigate = useNavigate();
  const [chosenAction, setChosenAction] = useState<JobAction | null>(null);
  const [done, setDone] = useState('');
  const action = useJobAction(job.id, (what) => {
    setChosenAction(null);
    setDone(LABELS[what].done);
    // Its page no longer exists; the queue's page displays the message.
    if (what === 'delete') void navigate(queuePath(job.queue), { state: { said: `Job ${job.id} was deleted.` } });
  });
  const possible = getActions(job.state);
  const begin = (what: JobAction) => (LABELS[what].warning ? setChosenAction(what) : action.mutate(what));
  usePageActions(possible.map((what) => ({ label: `${LABELS[what].does}: ${job.queue}`, run: () => begin(what) })));
  return (
    <>
      {possible.length > 0 && (
        <div className={styles.actions}>
          {possible.map((what) => (
            <Button
              key={what}
              kind={what === 'retry' ? 'primary' : 'plain'}
              busy={action.isPending}
              onClick={() => begin(what)}
            >
              {LABELS[what].does}
            </Button>
          ))}
        </div>
      )}
      <Said>{done}</Said>
      {action.error && chosenAction === null && <Problem error={action.error} />}
      {chosenAction && (
        <AskFirst
          title={`${LABELS[chosenAction].does === 'Delete' ? 'Delete' : 'Cancel'} this job of ${job.queue}?`}
          does={LABELS[chosenAction].does}
          danger
          busy={action.isPending}
          problem={action.error}
          onConfirm={() => action.mutate(chosenAction)}
          onClose={() => {
            setChosenAction(null);
            action.reset();
          }}
        >
          <p>{LABELS[chosenAction].warning}</p>
        </AskFirst>
      )}
    </>
  );
}
