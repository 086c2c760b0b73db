import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { jobsPath } from '../../../app/routing/paths.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import styles from './Jobs.module.css';
import { allJobsOfPipelineQuery } from './queries.js';
import type { Job } from './queries.js';
import { StatusIcon } from './StatusIcon.js';

const MAX_LISTED = 30;

/** Other attempts of a job, and the other jobs of its stage. */
export function RelatedJobs({ path, job }: { path: string; job: Job }) {
  const rows = useQuery(allJobsOfPipelineQuery(path, job.pipeline.id, true)).data?.rows ?? [];
  const attempts = rows.filter(({ name }) => name === job.name).sort((one, other) => other.id - one.id);
  const names = new Set<string>();
  const inStage = rows
    .filter(({ stage }) => stage === job.stage)
    .sort((one, other) => other.id - one.id)
    .filter(({ name }) => !names.has(name) && names.add(name))
    .reverse();
  return (
    <>
      {attempts.length > 1 && (
        <JobLinks
          title="Attempts"
          path={path}
          current={job.id}
          jobs={attempts}
          labelOf={({ id }, index) => `#${id}${index === 0 ? ', latest' : ''}`}
        />
      )}
      {inStage.length > 1 && (
        <JobLinks title="Jobs of this stage" path={path} current={job.id} jobs={inStage} labelOf={({ name }) => name} />
      )}
    </>
  );
}

interface JobLinksProps {
  title: string;
  path: string;
  current: number;
  jobs: readonly Job[];
  labelOf: (job: Job, index: number) => string;
}

function JobLinks({ title, path, current, jobs, labelOf }: JobLinksProps) {
  return (
    <nav aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      <ul className={styles.list}>
        {jobs.slice(0, MAX_LISTED).map((job, index) => (
          <li key={job.id}>
            <StatusIcon status={job.status} mayFail={job.allow_failure} />
            <Link to={jobsPath(path, job.id)} aria-current={job.id === current ? 'page' : undefined}>
              <UnbrokenText>{labelOf(job, index)}</UnbrokenText>
            </Link>
          </li>
        ))}
      </ul>
      {jobs.length > MAX_LISTED && <p>And {jobs.length - MAX_LISTED} more.</p>}
    </nav>
  );
}
