import type { ReactNode } from 'react';
import { Route, Routes } from 'react-router';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { NotFound } from '../../../app/problems/NotFound.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
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

/** `/admin/jobs/all`: jobs of all queues, for whoever knows the error, the user or the id, and not the queue. */
function AllJobs({ mayAct }: { mayAct: boolean }) {
  const [chosen, setChosen] = useState(false);
  const autoRefresh = useAutoRefresh(chosen ? HELD : null);
  const overview = useQuery({ ...overviewQuery, ...autoRefresh.options });
  return (
    <JobsPage title="All jobs" lead="Jobs of every queue, by state." autoRefresh={autoRefresh} looked={overview}>
      <Jobs autoRefresh={autoRefresh} mayAct={mayAct} onChoose={setChosen} />
    </JobsPage>
  );
}

/**
 * `/admin/jobs` and below: what the service does in the background (jobs-admin.md section 5). For administrators, and
 * for auditors, who change nothing; for others it is not there, as the server says too.
 */
export default function AdminJobs() {
  return (
    <SignedIn>
      {(person) => (person.is_admin || person.is_auditor ? <Parts mayAct={person.is_admin} /> : <NotFound />)}
    </SignedIn>
  );
}

function Parts({ mayAct }: { mayAct: boolean }): ReactNode {
  return (
    <Routes>
      <Route index element={<Overview />} />
      <Route path="all" element={<AllJobs mayAct={mayAct} />} />
      <Route path="recurring" element={<Recurring mayAct={mayAct} />} />
      <Route path="processes" element={<Processes />} />
      <Route path="log" element={<ActionLog />} />
      <Route path="queues/:queue" element={<Queue mayAct={mayAct} />} />
      <Route path=":id" element={<Job mayAct={mayAct} />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
