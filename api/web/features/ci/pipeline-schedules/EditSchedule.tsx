import { schedulePath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { Page } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { LoadingRows } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useAction } from './changes.js';
import { scheduleQuery } from './queries.js';
import styles from './Schedule.module.css';
import { ScheduleForm } from './ScheduleForm.js';

/**
 * `/<project>/-/pipeline_schedules/<id>/edit`: the form starts with the values stored when it opens, and later changes
 * do not overwrite it.
 */
export default function EditSchedule({ path, id }: { path: string; id: number }) {
  const [round, setRound] = useState(0);
  const found = useQuery({ ...scheduleQuery(path, id), refetchOnWindowFocus: false });
  // Once it is open it stays: what was typed must not go with a right.
  const [opened, open] = useState(false);
  const { data } = found;
  const may = data?.may.updatePipelineSchedule ?? false;
  if (may && !opened) open(true);
  return (
    <Page title="Edit schedule" lead={<UnbrokenText>{data?.schedule.description ?? path}</UnbrokenText>}>
      {found.error && !data && <LoadError error={found.error} what="Pipelines" retry={() => void found.refetch()} />}
      {found.isPending && <LoadingRows label="Loading schedule" rows={6} />}
      {data && !may && !opened && <NotYours path={path} id={id} mayTake={data.may.adminPipelineSchedule} />}
      {data && (may || opened) && (
        <ScheduleForm
          key={round}
          path={path}
          schedule={data.schedule}
          onReload={() => void found.refetch().then(() => setRound(round + 1))}
        />
      )}
    </Page>
  );
}

/** Only its owner may edit a schedule: users who may take ownership can do so here. */
function NotYours({ path, id, mayTake }: { path: string; id: number; mayTake: boolean }) {
  const action = useAction(path, id);
  return (
    <>
      <p>
        Only the owner can edit a schedule, because it runs with the owner's permissions.{' '}
        {mayTake
          ? 'Take ownership to edit it. It will then run with your permissions.'
          : 'Maintainers can take ownership.'}
      </p>
      {action.error && <Problem error={action.error} />}
      <div className={styles.actions}>
        {mayTake && (
          <Button kind="primary" busy={action.isPending} onClick={() => action.mutate('take')}>
            Take ownership
          </Button>
        )}
        <ButtonLink to={schedulePath(path, id)}>Back to schedule</ButtonLink>
      </div>
    </>
  );
}
