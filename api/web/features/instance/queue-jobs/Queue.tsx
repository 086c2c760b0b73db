import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import type { QueueDetail } from '../../../data/api.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Said } from '../../../ui/Said.js';
import { State } from '../../../ui/State.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { HELD, useAutoRefresh } from './auto-refresh.js';
import { Jobs } from './Jobs.js';
import { JobsPage } from './JobsPage.js';
import { policyDetails } from './policy.js';
import { queueQuery } from './queue-queries.js';
import { QueueControl } from './QueueControl.js';
import { getCount } from './labels.js';

/** `/admin/jobs/queues/:queue`: the state of a queue, its settings, and its jobs. */
export function Queue({ name, mayAct }: { name: string; mayAct: boolean }) {
  const [chosen, setChosen] = useState(false);
  // The message about a job that was deleted on its own page is displayed here.
  const { state: arrived } = useLocation() as { state: { said?: string } | null };
  const [said, setSaid] = useState(arrived?.said ?? '');
  const autoRefresh = useAutoRefresh(chosen ? HELD : null);
  const queue = useQuery({ ...queueQuery(name), ...autoRefresh.options });
  return (
    <JobsPage
      title={name}
      autoRefresh={autoRefresh}
      looked={queue}
      action={queue.data && mayAct && <QueueControl queue={queue.data} onDone={setSaid} />}
    >
      <Said>{said}</Said>
      {queue.error && <Problem error={queue.error} retry={() => void queue.refetch()} />}
      {queue.isPending && <LoadingRows label="Loading the queue" rows={6} />}
      {queue.data && (
        <>
          <DetailList details={[['State', <Control key="state" queue={queue.data} />], ...policyDetails(queue.data)]} />
          <Jobs
            queue={name}
            countOf={(state) => getCount(queue.data, state)}
            autoRefresh={autoRefresh}
            mayAct={mayAct}
            onChoose={setChosen}
          />
        </>
      )}
    </JobsPage>
  );
}

function Control({ queue: { paused, pause } }: { queue: QueueDetail }) {
  if (!paused) return <State tone="good">runs</State>;
  return (
    <State tone="warn">
      paused{pause?.by && ` by ${pause.by}`}
      {pause?.at && (
        <>
          {' '}
          <Time at={pause.at} />
        </>
      )}
      {pause?.reason && `: ${pause.reason}`}
    </State>
  );
}
