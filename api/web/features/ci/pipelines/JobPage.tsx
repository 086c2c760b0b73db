import { commitPath, namespacePath, pipelinesPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useLive } from '../../../data/live.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Page } from '../../../ui/Page.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { Absent } from '../../../app/problems/Absent.js';
import { getLiveQueries, jobQuery } from './queries.js';
import { PipelineRef, formatSeconds, PipelineStatus } from './labels.js';

/** `/<project>/-/jobs/<id>`: one job, and what became of it. */
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
  const { user, commit, pipeline } = job;
  return (
    <Page title={job.name} lead={`Job #${id}`}>
      <DetailList
        details={[
          ['State', <PipelineStatus key="state" status={job.status} />],
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
          ['Created', <Time key="made" at={job.created_at} />],
          ['Finished', job.finished_at ? <Time key="ended" at={job.finished_at} /> : 'not yet'],
          ['Duration', formatSeconds(job.duration)],
        ]}
      />
    </Page>
  );
}
