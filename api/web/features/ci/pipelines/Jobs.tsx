import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { commitOf } from '../../../app/routing/addresses/commits.js';
import { pageOfPath, pageOf } from '../../../app/routing/addresses/containers.js';
import { useLive } from '../../../data/live.js';
import { DetailList } from '../../../ui/DetailList.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Page } from '../../../ui/Page.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { Whole } from '../../../ui/Whole.js';
import { Absent } from '../../../app/problems/Absent.js';
import { jobColumns, pipelineColumn } from './job-columns.js';
import { PipelineTabs } from './PipelineTabs.js';
import { liveQueriesOf, jobQuery, jobsQuery } from './queries.js';
import { RefOf, formatSeconds, StatusOf } from './labels.js';

/** `/<project>/-/jobs`: the jobs of its pipelines, newest first. */
export function Jobs({ path }: { path: string }) {
  const page = pageIn(useSearchParams()[0]);
  const query = useQuery(jobsQuery(path, page));
  useLive(query.data ? { project: path } : null, liveQueriesOf(path));
  return (
    <Page title="Jobs" lead="Of all pipelines of the project, the newest first.">
      <PipelineTabs path={path} current="jobs" />
      <RecordList
        title="Jobs"
        query={query}
        keyOf={({ id }) => id}
        columns={[...jobColumns(path), pipelineColumn(path)]}
        empty="No jobs yet. Who does the work of a pipeline tells of its jobs as commit statuses."
      />
    </Page>
  );
}

/** `/<project>/-/jobs/<id>`: one job, and what became of it. */
export function JobPage({ path, id }: { path: string; id: number }) {
  const { data: job, error, refetch } = useQuery(jobQuery(path, id));
  useLive(job ? { project: path } : null, liveQueriesOf(path));
  if (error && !job) return <Absent what="Jobs" error={error} retry={() => void refetch()} />;
  if (!job)
    return (
      <Page title={`Job #${id}`}>
        <LoadingRows label="Loading the job" rows={6} />
      </Page>
    );
  const { user, commit, pipeline } = job;
  return (
    <Page title={job.name} lead={`Job #${id}`}>
      <DetailList
        details={[
          ['State', <StatusOf key="state" status={job.status} />],
          ['Stage', job.stage],
          [
            'Pipeline',
            <Link key="pipeline" to={pageOf({ kind: 'project', path }, `pipelines/${pipeline.id}`)}>
              #{pipeline.id}
            </Link>,
          ],
          [job.tag ? 'Tag' : 'Branch', <RefOf key="ref" path={path} name={job.ref} />],
          [
            'Commit',
            commit ? (
              <Link key="commit" to={commitOf(path, commit.id)}>
                <Whole>{commit.title}</Whole>
              </Link>
            ) : (
              'gone'
            ),
          ],
          [
            'For',
            user ? (
              <Link key="user" to={pageOfPath(user.username)}>
                <Whole>{user.name}</Whole>
              </Link>
            ) : (
              'nobody'
            ),
          ],
          ['Made', <Time key="made" at={job.created_at} />],
          ['Ended', job.finished_at ? <Time key="ended" at={job.finished_at} /> : 'not yet'],
          ['Took', formatSeconds(job.duration)],
        ]}
      />
    </Page>
  );
}
