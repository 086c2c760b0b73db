import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { jobsPath } from '../../../app/routing/paths.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { getFailure } from './failure-reasons.js';
import { isRunning } from './job-rights.js';
import { JobNote } from './JobCard.js';
import { JobQueueView } from './JobQueueView.js';
import { Notice } from './Notice.js';
import { allJobsOfPipelineQuery, jobExplanationQuery } from './queries.js';
import type { Job } from './queries.js';
import { RuleList } from './RuleList.js';

/** What a job waits for, why it failed or was skipped, and how to go on; and why it is in the pipeline. */
export function JobNotice({ path, job }: { path: string; job: Job }) {
  return (
    <>
      <StateNotice path={path} job={job} />
      <WhyCreated path={path} job={job} />
    </>
  );
}

function StateNotice({ path, job }: { path: string; job: Job }) {
  const { status, allow_failure: mayFail } = job;
  switch (status) {
    case 'failed': {
      const { what, next } = getFailure(job);
      return (
        <Notice tone={mayFail ? 'warn' : 'bad'} title={what}>
          <p>
            {next}
            {mayFail && ' The job is allowed to fail, so the pipeline went on.'}
          </p>
          <Erased job={job} />
        </Notice>
      );
    }
    case 'pending':
      return <JobQueueView path={path} job={job} />;
    case 'created':
      return (
        <Notice title="Waits for other jobs">
          <NeededJobs path={path} job={job} />
        </Notice>
      );
    case 'manual':
      return (
        <Notice title="Waits to be started">
          <p>
            This job starts only when somebody starts it.{' '}
            {mayFail ? 'The pipeline goes on without it.' : 'Jobs of later stages wait for it.'}
          </p>
        </Notice>
      );
    case 'scheduled':
      return (
        <Notice title="Starts later">
          <p>
            The job is delayed: <JobNote job={job} />
          </p>
        </Notice>
      );
    case 'waiting_for_resource':
      return (
        <Notice title="Waits for its resource group">
          <p>Another job of the same resource group runs. This one starts when that one has ended.</p>
        </Notice>
      );
    case 'skipped':
      return (
        <Notice title="The job was skipped">
          <p>What came before it did not end as the job needs it, such as a failed job of an earlier stage.</p>
        </Notice>
      );
    case 'canceling':
      return (
        <Notice title="The job is being canceled">
          <p>The runner ends the script and runs what comes after it. A silent job notices within 30 seconds.</p>
        </Notice>
      );
    case 'canceled':
      return (
        <Notice title="The job was canceled">
          <p>{job.started_at ? 'Its log shows how far it came.' : 'It had not started.'} Retry it to run it again.</p>
          <Erased job={job} />
        </Notice>
      );
    default:
      return job.erased_at && !isRunning(job) ? (
        <Notice title="The log was erased">
          <Erased job={job} />
        </Notice>
      ) : null;
  }
}

function Erased({ job: { erased_at: erased } }: { job: Job }) {
  return (
    erased && (
      <p>
        The log was erased <Time at={erased} />.
      </p>
    )
  );
}

/** The jobs that this one waits for. */
function NeededJobs({ path, job }: { path: string; job: Job }) {
  const needs = (job.needs ?? []) as readonly string[];
  const rows = useQuery(allJobsOfPipelineQuery(path, job.pipeline.id)).data?.rows ?? [];
  const needed = rows.filter(({ name }) => needs.includes(name));
  if (needs.length === 0) return <p>It starts when all jobs of the earlier stages have ended.</p>;
  return (
    <>
      <p>It starts when the jobs that it needs have ended:</p>
      <ul>
        {needed.map(({ id, name, status }) => (
          <li key={id}>
            <Link to={jobsPath(path, id)}>
              <UnbrokenText>{name}</UnbrokenText>
            </Link>
            , {status.replaceAll('_', ' ')}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The rules that added the job, folded. */
function WhyCreated({ path, job }: { path: string; job: Job }) {
  const { data } = useQuery(jobExplanationQuery(path, job.id));
  if (!data) return null;
  return (
    <details>
      <summary>Why is this job in the pipeline?</summary>
      {data.explanation.length === 0 ? (
        <p>It has no rules: it is added to every pipeline of the file.</p>
      ) : (
        <RuleList rules={data.explanation} />
      )}
    </details>
  );
}
