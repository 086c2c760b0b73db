import { useQuery } from '@tanstack/react-query';
import { useFollowing } from './following.js';
import { Jobs } from './Jobs.js';
import { JobsPage } from './JobsPage.js';
import { overviewQuery } from './queue-queries.js';

/** `/admin/jobs/all`: jobs of all queues, for whoever knows the error, the user or the id, and not the queue. */
export function AllJobs() {
  const following = useFollowing();
  const overview = useQuery({ ...overviewQuery, refetchInterval: following.every });
  return (
    <JobsPage title="All jobs" lead="Jobs of every queue, by state." following={following} looked={overview}>
      <Jobs following={following} />
    </JobsPage>
  );
}
