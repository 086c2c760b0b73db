import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../../data/session.js';
import { ActionLog } from './ActionLog.js';
import { Job } from './Job.js';
import { Overview } from './Overview.js';
import { Processes } from './Processes.js';
import { Queue } from './Queue.js';
import { Recurring } from './Recurring.js';
import { HELD, useAutoRefresh } from './auto-refresh.js';
import { Jobs } from './Jobs.js';
import { JobsPage } from './JobsPage.js';
import { overviewQuery } from './queue-queries.js';

/** `/admin/jobs/all`: jobs of all queues, for searches by error, user or id without knowing the queue. */
function AllJobs({ mayAct }: { mayAct: boolean }) {
  const [chosen, setChosen] = useState(false);
  const autoRefresh = useAutoRefresh(chosen ? HELD : null);
  const overview = useQuery({ ...overviewQuery, ...autoRefresh.options });
  return (
    <JobsPage title="All jobs" lead="Jobs of all queues, by state." autoRefresh={autoRefresh} looked={overview}>
      <Jobs autoRefresh={autoRefresh} mayAct={mayAct} onChoose={setChosen} />
    </JobsPage>
  );
}

interface AdminJobsProps {
  page: 'queues' | 'all' | 'recurring' | 'processes' | 'log' | 'queue' | 'job';
  /** Name of a queue, of its page. */
  queue?: string;
  /** Id of a job, of its page. */
  id?: string;
}

/**
 * `/admin/jobs` and below: background jobs (jobs-admin.md section 5). For administrators, and for auditors, who change
 * nothing; others find no such page, as the server answers too.
 */
export default function AdminJobs({ page, queue = '', id = '' }: AdminJobsProps) {
  const mayAct = useSession().data?.user?.is_admin ?? false;
  switch (page) {
    case 'all':
      return <AllJobs mayAct={mayAct} />;
    case 'recurring':
      return <Recurring mayAct={mayAct} />;
    case 'processes':
      return <Processes />;
    case 'log':
      return <ActionLog />;
    case 'queue':
      return <Queue name={queue} mayAct={mayAct} />;
    case 'job':
      return <Job id={id} mayAct={mayAct} />;
    default:
      return <Overview />;
  }
}
