import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { pipelinesPath } from '../../../app/routing/paths.js';
import { Absent } from '../../../app/problems/Absent.js';
import { useMayPush } from '../../../data/branch-rights.js';
import { useLive } from '../../../data/live.js';
import { later } from '../../../ui/later.js';
import { Page } from '../../../ui/Page.js';
import { Said } from '../../../ui/Said.js';
import { LoadingRows } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { isFromFile, isRunning } from './job-rights.js';
import { JobDetails } from './JobDetails.js';
import { JobMoves } from './JobMoves.js';
import { JobNotice } from './JobNotice.js';
import styles from './Jobs.module.css';
import { getLiveQueries, jobQuery } from './queries.js';
import type { Job } from './queries.js';
import { RelatedJobs } from './RelatedJobs.js';

const LogViewer = later(() => import('../job-logs/LogViewer.js'), <LoadingRows label="Loading the log" rows={6} />);

/** `/<project>/-/jobs/<id>`: one job, its log, what became of it and why. */
export default function JobPage({ path, id }: { path: string; id: number }) {
  const { data: job, error, refetch } = useQuery(jobQuery(path, id));
  useLive(job ? { project: path } : null, getLiveQueries(path));
  if (error && !job) return <Absent what="Jobs" error={error} retry={() => void refetch()} />;
  if (!job)
    return (
      <Page title={`Job #${id}`}>
        <LoadingRows label="Loading job" rows={6} />
      </Page>
    );
  const { pipeline } = job;
  if (!isFromFile(job))
    return (
      <Page title={job.name} lead={`Job #${id}`}>
        <JobDetails path={path} job={job} />
      </Page>
    );
  return <JobOfFile key={id} path={path} job={job} pipelineId={pipeline.id} />;
}

/** States before a runner has the job: there is no log yet. */
const NOT_STARTED: ReadonlySet<string> = new Set([
  'created',
  'waiting_for_resource',
  'preparing',
  'pending',
  'manual',
  'scheduled',
  'skipped',
]);

function JobOfFile({ path, job, pipelineId }: { path: string; job: Job; pipelineId: number }) {
  const queries = useQueryClient();
  const mayMove = useMayPush(path);
  const [said, setSaid] = useState('');
  const hasLog = !NOT_STARTED.has(job.status) && job.erased_at === null && (isRunning(job) || job.started_at !== null);
  return (
    <Page
      title={job.name}
      lead={
        <>
          Job #{job.id} in stage <UnbrokenText>{job.stage}</UnbrokenText> of{' '}
          <Link to={pipelinesPath(path, pipelineId)}>pipeline #{pipelineId}</Link>
        </>
      }
      action={mayMove && <JobMoves path={path} job={job} onSaid={setSaid} />}
    >
      <Said>{said}</Said>
      <div className={styles.job}>
        <div className={styles.main}>
          <JobNotice path={path} job={job} />
          {hasLog && (
            <LogViewer
              path={path}
              id={job.id}
              live={isRunning(job)}
              onEnd={() => void queries.invalidateQueries({ queryKey: ['pipelines', path] })}
            />
          )}
        </div>
        <aside className={styles.aside} aria-label="About the job">
          <JobDetails path={path} job={job} />
          <RelatedJobs path={path} job={job} />
        </aside>
      </div>
    </Page>
  );
}
