import { Link } from 'react-router';
import { commitPath, namespacePath, pipelinesPath } from '../../../app/routing/paths.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { Elapsed } from './JobCard.js';
import { isFromFile, isRunning } from './job-rights.js';
import styles from './Jobs.module.css';
import { PipelineRef, formatSeconds, PipelineStatus } from './labels.js';
import type { Job } from './queries.js';

/** The runner of a job, as far as the API tells it. */
interface JobRunner {
  id: number;
  description?: string | null;
}

/** What is known of a job. */
export function JobDetails({ path, job }: { path: string; job: Job }) {
  const { user, commit, pipeline, tag_list: tags } = job;
  const runner = job.runner as JobRunner | null;
  return (
    <DetailList
      details={[
        ['State', <PipelineStatus key="state" status={job.status} mayFail={job.allow_failure} />],
        ['Stage', job.stage],
        [
          'Pipeline',
          <Link key="pipeline" to={pipelinesPath(path, pipeline.id)}>
            #{pipeline.id}
          </Link>,
        ],
        [job.tag ? 'Tag' : 'Branch', <PipelineRef key="ref" path={path} name={job.ref} />],
        [
          'Commit',
          commit ? (
            <Link key="commit" to={commitPath(path, commit.id)}>
              <UnbrokenText>{commit.title}</UnbrokenText>
            </Link>
          ) : (
            'deleted'
          ),
        ],
        [
          'User',
          user ? (
            <Link key="user" to={namespacePath(user.username)}>
              <UnbrokenText>{user.name}</UnbrokenText>
            </Link>
          ) : (
            'none'
          ),
        ],
        ...(isFromFile(job)
          ? ([
              ['Runner', runner ? <UnbrokenText key="runner">{describeRunner(runner)}</UnbrokenText> : 'none yet'],
              ['Tags', tags.length > 0 ? <Tags key="tags" tags={tags} /> : 'none'],
            ] as const)
          : []),
        ['Created', <Time key="made" at={job.created_at} />],
        ['Finished', job.finished_at ? <Time key="ended" at={job.finished_at} /> : 'not yet'],
        [
          'Duration',
          isRunning(job) && job.started_at ? (
            <Elapsed key="so far" since={job.started_at} />
          ) : (
            formatSeconds(job.started_at ? job.duration : null)
          ),
        ],
        ...(isFromFile(job) ? ([['Queued', formatSeconds(job.queued_duration)]] as const) : []),
        ...(job.coverage === null ? [] : ([['Coverage', `${job.coverage} %`]] as const)),
      ]}
    />
  );
}

const describeRunner = ({ id, description }: JobRunner): string => (description ? `#${id} ${description}` : `#${id}`);

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span className={styles.tags}>
      {tags.map((tag) => (
        <code key={tag}>
          <UnbrokenText>{tag}</UnbrokenText>
        </code>
      ))}
    </span>
  );
}
