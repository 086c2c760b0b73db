import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Page } from '../look/Page.js';
import { Refused } from '../look/Refused.js';
import { LoadingRows } from '../look/Table.js';
import { Whole } from '../look/Whole.js';
import { scheduleQuery } from './queries.js';
import { ScheduleForm } from './ScheduleForm.js';

/** `/<project>/-/pipeline_schedules/new`: the form of another schedule. */
export function NewSchedule({ path }: { path: string }) {
  return (
    <Page title="New schedule" lead={<Whole>{path}</Whole>}>
      <ScheduleForm path={path} schedule={null} onReload={() => undefined} />
    </Page>
  );
}

/** `/<project>/-/pipeline_schedules/<id>/edit`: the form begins with what is stored when it opens, and stays as it is typed. */
export function EditSchedule({ path, id }: { path: string; id: number }) {
  const [round, setRound] = useState(0);
  const found = useQuery({ ...scheduleQuery(path, id), refetchOnWindowFocus: false });
  return (
    <Page title="Edit schedule" lead={<Whole>{found.data?.schedule.description ?? path}</Whole>}>
      {found.error && !found.data && (
        <Refused error={found.error} what="Pipelines" retry={() => void found.refetch()} />
      )}
      {found.isPending && <LoadingRows label="Loading the schedule" rows={6} />}
      {found.data && (
        <ScheduleForm
          key={round}
          path={path}
          schedule={found.data.schedule}
          onReload={() => void found.refetch().then(() => setRound(round + 1))}
        />
      )}
    </Page>
  );
}
