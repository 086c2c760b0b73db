import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Absent } from '../../../app/problems/Absent.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import { useMayPush } from '../../../data/branch-rights.js';
import { useLive } from '../../../data/live.js';
import { Empty } from '../../../ui/Empty.js';
import { LinkTabs } from '../../../ui/LinkTabs.js';
import { Page, Section } from '../../../ui/Page.js';
import { LoadingRows } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { Executor } from './Executor.js';
import { jobColumns } from './job-columns.js';
import { PipelineExplanation } from './PipelineExplanation.js';
import { PipelineGraph } from './PipelineGraph.js';
import { PipelineMoves } from './PipelineMoves.js';
import { PipelineNotice } from './PipelineNotice.js';
import { PipelineSummary } from './PipelineSummary.js';
import { allJobsOfPipelineQuery, getLiveQueries, jobsOfPipelineQuery, pipelineQuery } from './queries.js';
import type { Pipeline } from './queries.js';

/** `/<project>/-/pipelines/<id>`: one pipeline, what started it, what became of it, and its jobs. */
export default function PipelinePage({ path, id }: { path: string; id: number }) {
  const { data: pipeline, error, refetch } = useQuery(pipelineQuery(path, id));
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
      action={<PipelineMoves path={path} pipeline={pipeline} onLeave={setLeaving} />}
    >
      <PipelineSummary path={path} pipeline={pipeline} />
      <PipelineNotice path={path} pipeline={pipeline} />
      {pipeline.kind === 'config' ? (
        <FromFile path={path} pipeline={pipeline} />
      ) : (
        <>
          {(pipeline.status === 'pending' || pipeline.status === 'created') && (
            <Executor projectId={pipeline.project_id} />
          )}
          <Section title="Jobs">
            <JobList path={path} id={id} empty="No jobs yet. Executors report jobs as commit statuses." />
          </Section>
        </>
      )}
    </Page>
  );
}

const VIEWS = [
  ['graph', 'Graph'],
  ['jobs', 'Jobs'],
  ['why', 'Why these jobs'],
] as const;

/** The jobs of a pipeline that a file made: as a graph, as a list, and why they are what they are. */
function FromFile({ path, pipeline }: { path: string; pipeline: Pipeline }) {
  const [search] = useSearchParams();
  const [view] = VIEWS.find(([name]) => name === search.get('view')) ?? VIEWS[0];
  return (
    <>
      <LinkTabs
        label="Views of the pipeline"
        tabs={VIEWS.map(([name, label]) => ({
          to: name === 'graph' ? '?' : `?view=${name}`,
          label,
          current: name === view,
        }))}
      />
      {view === 'graph' && <Graph path={path} pipeline={pipeline} />}
      {view === 'jobs' && <JobList path={path} id={pipeline.id} empty="This pipeline has no jobs." />}
      {view === 'why' && <PipelineExplanation path={path} pipeline={pipeline} />}
    </>
  );
}

function Graph({ path, pipeline: { id, stages } }: { path: string; pipeline: Pipeline }) {
  const { data, error, refetch } = useQuery(allJobsOfPipelineQuery(path, id));
  const mayMove = useMayPush(path);
  if (error && !data) return <LoadError what="Jobs" error={error} retry={() => void refetch()} />;
  if (!data) return <LoadingRows label="Loading jobs" rows={4} />;
  if (data.rows.length === 0) return <Empty>This pipeline has no jobs.</Empty>;
  return (
    <>
      {data.more && <p>The graph shows the newest {data.rows.length} jobs. All of them are in the list of jobs.</p>}
      <PipelineGraph path={path} jobs={data.rows} stages={stages} mayMove={mayMove} />
    </>
  );
}

function JobList({ path, id, empty }: { path: string; id: number; empty: string }) {
  const page = pageIn(useSearchParams()[0]);
  return (
    <RecordList
      title="Jobs"
      query={useQuery(jobsOfPipelineQuery(path, id, page))}
      keyOf={({ id: job }) => job}
      columns={jobColumns(path)}
      empty={empty}
    />
  );
}
