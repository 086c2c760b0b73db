import { commitPath, namespacePath, pipelinesPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useLive } from '../../../data/live.js';
import { Button } from '../../../ui/Button.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { DetailList } from '../../../ui/DetailList.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Page, Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { Absent } from '../../../app/problems/Absent.js';
import { useMayPush } from '../../../data/branch-rights.js';
import { useMayWrite } from '../../../data/member-rights.js';
import { Executor } from './Executor.js';
import { jobColumns } from './job-columns.js';
import styles from './PipelinePage.module.css';
import { getLiveQueries, jobsOfPipelineQuery, pipelineQuery, UNDER_WAY, useMovePipeline } from './queries.js';
import type { Pipeline } from './queries.js';
import { PipelineRef, formatSeconds, formatSource, PipelineStatus } from './labels.js';

/** `/<project>/-/pipelines/<id>`: one pipeline, what started it, what became of it, and its jobs. */
export default function PipelinePage({ path, id }: { path: string; id: number }) {
  const { data: pipeline, error, refetch } = useQuery(pipelineQuery(path, id));
  const page = pageIn(useSearchParams()[0]);
  const jobs = useQuery(jobsOfPipelineQuery(path, id, page));
  const [leaving, setLeaving] = useState(false);
  // A pipeline that is being deleted is not refetched.
  useLive(pipeline && !leaving ? { project: path } : null, getLiveQueries(path));
  if (error && !pipeline) return <Absent what="Pipelines" error={error} retry={() => void refetch()} />;
  if (!pipeline)
    return (
      <Page title={`Pipeline #${id}`}>
        <LoadingRows label="Loading pipeline" rows={6} />
      </Page>
    );
  return (
    <Page
      title={`Pipeline #${id}`}
      lead={pipeline.name ? <UnbrokenText>{pipeline.name}</UnbrokenText> : undefined}
      action={<Moves path={path} pipeline={pipeline} onLeave={setLeaving} />}
    >
      <PipelineSummary path={path} pipeline={pipeline} />
      {pipeline.yaml_errors && (
        <Section title="Configuration">
          <p>
            <UnbrokenText>{pipeline.yaml_errors}</UnbrokenText>
          </p>
        </Section>
      )}
      {(pipeline.status === 'pending' || pipeline.status === 'created') && <Executor projectId={pipeline.project_id} />}
      <Section title="Jobs">
        <RecordList
          title="Jobs"
          query={jobs}
          keyOf={({ id: job }) => job}
          columns={jobColumns(path)}
          empty="No jobs yet. Executors report jobs as commit statuses."
        />
      </Section>
    </Page>
  );
}

function PipelineSummary({ path, pipeline }: { path: string; pipeline: Pipeline }) {
  const { user, started_at: started, finished_at: finished } = pipeline;
  return (
    <DetailList
      details={[
        ['State', <PipelineStatus key="state" status={pipeline.status} />],
        ['Source', formatSource(pipeline.source)],
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

const OWNER = 50;

interface MovesProps {
  path: string;
  pipeline: Pipeline;
  /** Called when the deletion of the pipeline starts, and if it fails. */
  onLeave: (leaving: boolean) => void;
}

function Moves({ path, pipeline: { id, status }, onLeave }: MovesProps) {
  const move = useMovePipeline(path, id);
  const mayMove = useMayPush(path);
  const mayDelete = useMayWrite({ kind: 'project', path }, OWNER);
  const [confirming, setConfirming] = useState(false);
  const navigate = useNavigate();
  if (!mayMove) return null;
  return (
    <div className={styles.moves}>
      {move.error && !confirming && <Problem error={move.error} />}
      {UNDER_WAY.has(status) && (
        <Button busy={move.isPending} onClick={() => move.mutate('cancel')}>
          Cancel
        </Button>
      )}
      {(status === 'failed' || status === 'canceled') && (
        <Button busy={move.isPending} onClick={() => move.mutate('retry')}>
          Retry
        </Button>
      )}
      {mayDelete && (
        <Button kind="quiet" onClick={() => setConfirming(true)}>
          Delete
        </Button>
      )}
      {confirming && (
        <Confirm
          title={`Delete pipeline #${id}?`}
          does="Delete"
          danger
          busy={move.isPending}
          problem={move.error}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            onLeave(true);
            move.mutate('delete', {
              onSuccess: () => void navigate(pipelinesPath(path)),
              onError: () => onLeave(false),
            });
          }}
        >
          <p>The pipeline and its jobs will be deleted. This can't be undone.</p>
        </Confirm>
      )}
    </div>
  );
}
