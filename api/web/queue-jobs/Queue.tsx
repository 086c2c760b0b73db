import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { QueueDetail } from '../client/api.js';
import { Facts } from '../look/Facts.js';
import { Problem } from '../look/Problem.js';
import { State } from '../look/State.js';
import { LoadingRows } from '../look/Table.js';
import { Time } from '../look/Time.js';
import { useFollowing } from './following.js';
import { Jobs } from './Jobs.js';
import { JobsPage } from './JobsPage.js';
import { policyFacts } from './policy.js';
import { queueQuery } from './queue-queries.js';
import { countOf } from './words.js';

/** `/admin/jobs/queues/:queue`: how a queue does, what is set for it, and its jobs. */
export function Queue() {
  const { queue: name = '' } = useParams();
  const following = useFollowing();
  const queue = useQuery({ ...queueQuery(name), refetchInterval: following.every });
  return (
    <JobsPage title={name} following={following} looked={queue}>
      {queue.error && <Problem error={queue.error} retry={() => void queue.refetch()} />}
      {queue.isPending && <LoadingRows label="Loading the queue" rows={6} />}
      {queue.data && (
        <>
          <Facts facts={[['State', <Control key="state" queue={queue.data} />], ...policyFacts(queue.data)]} />
          <Jobs queue={name} countOf={(state) => countOf(queue.data, state)} following={following} />
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
