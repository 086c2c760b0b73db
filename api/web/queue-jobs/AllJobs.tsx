import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { HELD, useAutoRefresh } from './auto-refresh.js';
import { Jobs } from './Jobs.js';
import { JobsPage } from './JobsPage.js';
import { overviewQuery } from './queue-queries.js';

/** `/admin/jobs/all`: jobs of all queues, for whoever knows the error, the user or the id, and not the queue. */
export function AllJobs({ mayAct }: { mayAct: boolean }) {
  const [chosen, setChosen] = useState(false);
  const autoRefresh = useAutoRefresh(chosen ? HELD : null);
  const overview = useQuery({ ...overviewQuery, ...autoRefresh.options });
  return (
    <JobsPage title="All jobs" lead="Jobs of every queue, by state." autoRefresh={autoRefresh} looked={overview}>
      <Jobs autoRefresh={autoRefresh} mayAct={mayAct} onChoose={setChosen} />
    </JobsPage>
  );
}
