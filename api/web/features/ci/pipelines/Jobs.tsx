import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { pipelineEditorPath } from '../../../app/routing/paths.js';
import { useMayPush } from '../../../data/branch-rights.js';
import { useLive } from '../../../data/live.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Page } from '../../../ui/Page.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import { ButtonLink } from '../../../ui/Button.js';
import { jobColumns, pipelineColumn } from './job-columns.js';
import { PipelineTabs } from './PipelineTabs.js';
import { getLiveQueries, jobsQuery } from './queries.js';

/** `/<project>/-/jobs`: the jobs of its pipelines, newest first. */
export default function Jobs({ path }: { path: string }) {
  const page = pageIn(useSearchParams()[0]);
  const query = useQuery(jobsQuery(path, page));
  useLive(query.data ? { project: path } : null, getLiveQueries(path));
  const mayPush = useMayPush(path);
  return (
    <Page title="Jobs" lead="All jobs in this project, newest first.">
      <PipelineTabs path={path} current="jobs" />
      <RecordList
        title="Jobs"
        query={query}
        keyOf={({ id }) => id}
        columns={[...jobColumns(path), pipelineColumn(path)]}
        empty="No jobs yet. A job runs one script of the configuration file on a runner: each pipeline of the project creates its jobs. Executors can also report jobs as commit statuses."
        action={
          mayPush && (
            <ButtonLink kind="primary" to={pipelineEditorPath(path)}>
              Configure a pipeline
            </ButtonLink>
          )
        }
      />
    </Page>
  );
}
