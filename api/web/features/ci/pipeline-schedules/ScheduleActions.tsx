import { schedulePath, schedulesPath } from '../../../app/routing/paths.js';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { AskFirst } from '../../../app/dialogs/AskFirst.js';
import { usePageActions } from '../../../app/palette/page-actions.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Said } from '../../../ui/Said.js';
import { useAction, useRemoval } from './changes.js';
import type { Action } from './changes.js';
import type { Permissions, ScheduleDetails } from './queries.js';
import styles from './Schedule.module.css';

const SAID: Readonly<Record<Action, string>> = {
  play: 'Starting. The pipeline will appear below.',
  pause: 'Paused. Activate the schedule to run it again.',
  activate: 'Activated.',
  take: "You're now the owner. The schedule runs with your permissions.",
};

interface ScheduleActionsProps {
  path: string;
  schedule: ScheduleDetails;
  may: Permissions;
}

/** The actions on a schedule that the user may perform, and the reasons of refusals. */
export function ScheduleActions({ path, schedule, may }: ScheduleActionsProps) {
  const { id, active, description } = schedule;
  const action = useAction(path, id);
  const removal = useRemoval(path, id);
  const navigate = useNavigate();
  const [removing, setRemoving] = useState(false);
  const [said, setSaid] = useState('');
  const act = (what: Action) => {
    setSaid('');
    action.mutate(what, { onSuccess: () => setSaid(SAID[what]) });
  };
  usePageActions([
    ...(may.playPipelineSchedule ? [{ label: 'Play now', run: () => act('play') }] : []),
    ...(may.updatePipelineSchedule
      ? [
          { label: 'Edit this schedule', to: `${schedulePath(path, id)}/edit` },
          active
            ? { label: 'Pause this schedule', run: () => act('pause') }
            : { label: 'Activate this schedule', run: () => act('activate') },
        ]
      : []),
  ]);
  const busy = (what: Action) => action.isPending && action.variables === what;
  return (
    <>
      <div className={styles.actions}>
        {may.playPipelineSchedule && (
          <Button kind="primary" busy={busy('play')} onClick={() => act('play')}>
            Play now
          </Button>
        )}
        {may.updatePipelineSchedule && (
          <>
            <ButtonLink to={`${schedulePath(path, id)}/edit`}>Edit</ButtonLink>
            <Button busy={busy('pause') || busy('activate')} onClick={() => act(active ? 'pause' : 'activate')}>
              {active ? 'Pause' : 'Activate'}
            </Button>
          </>
        )}
        {may.adminPipelineSchedule && (
          <>
            {!may.updatePipelineSchedule && (
              <Button busy={busy('take')} onClick={() => act('take')}>
                Take ownership
              </Button>
            )}
            <Button onClick={() => setRemoving(true)}>Delete</Button>
          </>
        )}
      </div>
      {may.adminPipelineSchedule && !may.updatePipelineSchedule && (
        <p className={styles.quiet}>Only the owner can edit this schedule. Take ownership to change it.</p>
      )}
      {action.error && <Problem error={action.error} />}
      <Said>{said}</Said>
      {removing && (
        <AskFirst
          title={`Delete ${description}?`}
          does="Delete"
          danger
          busy={removal.isPending}
          problem={removal.error}
          onClose={() => {
            setRemoving(false);
            removal.reset();
          }}
          onConfirm={() =>
            removal.mutate(undefined, { onSuccess: () => void navigate(schedulesPath({ kind: 'project', path })) })
          }
        >
          <p>Its variables, inputs and ledger will be deleted. Its pipelines are kept.</p>
        </AskFirst>
      )}
    </>
  );
}
