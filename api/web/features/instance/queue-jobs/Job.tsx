import { useQuery } from '@tanstack/react-query';
import type { QueueJobDetail } from '../../../data/api.js';
import { ApiProblem } from '../../../data/problem.js';
import { DetailList } from '../../../ui/DetailList.js';
import { JsonView } from '../../../ui/JsonView.js';
import { Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Attempts } from './Attempts.js';
import { useAutoRefresh } from './auto-refresh.js';
import { JobActions } from './JobActions.js';
import { JobsPage } from './JobsPage.js';
import { ID_LENGTH } from './labels.js';
import { jobDetails } from './job-details.js';
import { jobQuery } from './job-queries.js';

/** `/admin/jobs/:id`: a job's payload, its user, every attempt, and the available actions. */
export function Job({ id, mayAct }: { id: string; mayAct: boolean }) {
  const autoRefresh = useAutoRefresh();
  const job = useQuery({ ...jobQuery(id), ...autoRefresh.options });
  const gone = job.error instanceof ApiProblem && job.error.status === 404;
  return (
    <JobsPage title={`Job ${id.slice(0, ID_LENGTH)}`} lead={<code>{id}</code>} autoRefresh={autoRefresh} looked={job}>
      {job.error && <Problem error={job.error} retry={() => void job.refetch()} />}
      {gone && <p>Finished jobs are deleted after some days. It may also have been deleted manually.</p>}
      {job.isPending && <LoadingRows label="Loading the job" rows={6} />}
      {job.data && !gone && <Details job={job.data} mayAct={mayAct} />}
    </JobsPage>
  );
}

function Details({ job, mayAct }: { job: QueueJobDetail; mayAct: boolean }) {
  return (
    <>
      {mayAct && <JobActions job={job} />}
      <DetailList details={jobDetails(job)} />
      <Attempts attempts={job.attempts} />
      <Section title="Arguments" aside={job.args_truncated && 'Truncated to 32 KiB'}>
        <JsonView label="the arguments" value={job.args} />
      </Section>
      {job.state === 'completed' && job.output !== null && (
        <Section title="Result" aside={job.output_truncated && 'Truncated to 32 KiB'}>
          <JsonView label="the result" value={job.output} />
        </Section>
      )}
      <Section title="Job as JSON">
        <JsonView label="the job as JSON" value={job} folded />
      </Section>
    </>
  );
}
