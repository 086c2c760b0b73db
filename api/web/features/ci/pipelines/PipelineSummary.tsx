import { Link } from 'react-router';
import { commitPath, namespacePath, schedulePath } from '../../../app/routing/paths.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { PipelineRef, formatSeconds, formatSource, PipelineStatus } from './labels.js';
import type { Pipeline } from './queries.js';

/** What is known of a pipeline: its state, where it comes from, and how long it took. */
export function PipelineSummary({ path, pipeline }: { path: string; pipeline: Pipeline }) {
  const { user, started_at: started, finished_at: finished, pipeline_schedule_id: schedule } = pipeline;
  return (
    <DetailList
      details={[
        ['State', <PipelineStatus key="state" status={pipeline.status} />],
        [
          'Source',
          schedule === null ? (
            formatSource(pipeline.source)
          ) : (
            <Link key="schedule" to={schedulePath(path, schedule)}>
              {formatSource(pipeline.source)}
            </Link>
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
        [pipeline.tag ? 'Tag' : 'Branch', <PipelineRef key="ref" path={path} name={pipeline.ref} />],
        [
          'Commit',
          <Link key="commit" to={commitPath(path, pipeline.sha)}>
            <code>{pipeline.sha.slice(0, 8)}</code>
          </Link>,
        ],
        ['Created', <Time key="made" at={pipeline.created_at} />],
        ['Started', started ? <Time key="began" at={started} /> : finished ? 'unknown' : 'not yet'],
        ['Finished', finished ? <Time key="ended" at={finished} /> : 'not yet'],
        ['Duration', formatSeconds(pipeline.duration)],
        ['Queued', formatSeconds(pipeline.queued_duration)],
      ]}
    />
  );
}
