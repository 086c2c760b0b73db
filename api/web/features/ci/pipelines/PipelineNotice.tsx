import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { jobsPath, pipelineEditorPath } from '../../../app/routing/paths.js';
import { ButtonLink } from '../../../ui/Button.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { describePipelineFailure, getFailure } from './failure-reasons.js';
import { JobWithoutRunner } from './JobQueueView.js';
import { Notice } from './Notice.js';
import styles from './Notice.module.css';
import { allJobsOfPipelineQuery, explanationQuery } from './queries.js';
import type { Pipeline } from './queries.js';

/** Why a pipeline failed or is not under way, and how to go on. */
export function PipelineNotice({ path, pipeline }: { path: string; pipeline: Pipeline }) {
  if (pipeline.yaml_errors || pipeline.failure_reason) return <NoJobs path={path} pipeline={pipeline} />;
  if (pipeline.kind === 'record') return null;
  return (
    <>
      <FailedJobs path={path} id={pipeline.id} />
      {pipeline.status === 'pending' && <WaitingJob path={path} id={pipeline.id} />}
      {pipeline.status === 'manual' && (
        <Notice title="The pipeline waits for somebody">
          <p>A manual job blocks what follows. Start it below, by its button.</p>
        </Notice>
      )}
    </>
  );
}

/** Editors look at this line of the file first. */
const atLine = (address: string, line: number | null | undefined): string =>
  line ? `${address}${address.includes('?') ? '&' : '?'}line=${line}` : address;

function NoJobs({ path, pipeline }: { path: string; pipeline: Pipeline }) {
  const { id, tag, ref, yaml_errors: errors, failure_reason: reason, kind } = pipeline;
  const explanation = useQuery({ ...explanationQuery(path, id), enabled: kind === 'config' }).data;
  const line = explanation?.errors.find((error) => error.line !== null && error.file === null)?.line;
  const edit = pipelineEditorPath(path, tag ? undefined : ref);
  return (
    <Notice
      tone="bad"
      title={reason ? describePipelineFailure(reason) : 'The configuration file is not valid, so no job was created.'}
      actions={
        <>
          <ButtonLink to={atLine(edit, line)}>{line ? `Edit line ${line}` : 'Open the pipeline editor'}</ButtonLink>
          {kind === 'config' && <ButtonLink to="?view=why">Why</ButtonLink>}
        </>
      }
    >
      {errors && (
        <p className={styles.message}>
          <UnbrokenText>{errors}</UnbrokenText>
        </p>
      )}
      <p>Correct the file and commit it: the push starts a new pipeline.</p>
    </Notice>
  );
}

/** The first job that waits for a runner, where none can take it. */
function WaitingJob({ path, id }: { path: string; id: number }) {
  const jobs = useQuery(allJobsOfPipelineQuery(path, id)).data?.rows ?? [];
  const waiting = jobs.findLast(({ status }) => status === 'pending');
  return waiting && <JobWithoutRunner path={path} job={waiting} />;
}

const MAX_LISTED = 5;

function FailedJobs({ path, id }: { path: string; id: number }) {
  const jobs = useQuery(allJobsOfPipelineQuery(path, id)).data?.rows ?? [];
  const failed = jobs.filter((job) => job.status === 'failed' && !job.allow_failure);
  if (failed.length === 0) return null;
  return (
    <Notice tone="bad" title={failed.length === 1 ? '1 job failed' : `${failed.length} jobs failed`}>
      <ul>
        {failed.slice(0, MAX_LISTED).map((job) => (
          <li key={job.id}>
            <Link to={jobsPath(path, job.id)}>
              <UnbrokenText>{job.name}</UnbrokenText>
            </Link>
            : {getFailure(job).what}
          </li>
        ))}
      </ul>
      {failed.length > MAX_LISTED && <p>And {failed.length - MAX_LISTED} more.</p>}
    </Notice>
  );
}
