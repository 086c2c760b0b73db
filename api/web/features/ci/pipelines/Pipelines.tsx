import { commitPath, newSchedulePath, pipelineEditorPath, pipelinesPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { POLL_MS, useLive } from '../../../data/live.js';
import { Fresh } from '../../../app/lists/Fresh.js';
import { LinkTabs } from '../../../ui/LinkTabs.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Page } from '../../../ui/Page.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import rows from '../../../ui/Rows.module.css';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useMayPush } from '../../../data/branch-rights.js';
import { ButtonLink } from '../../../ui/Button.js';
import { PipelineTabs } from './PipelineTabs.js';
import { StageStates } from './StageStates.js';
import { getLiveQueries, pipelinesQuery, STATUSES } from './queries.js';
import type { PipelineStatusFilter, ListedPipeline } from './queries.js';
import { PipelineRef, formatSource, PipelineStatus } from './labels.js';

const TABS: readonly (readonly [status: PipelineStatusFilter, label: string])[] = [
  [null, 'All'],
  ['pending', 'Pending'],
  ['running', 'Running'],
  ['manual', 'Manual'],
  ['success', 'Succeeded'],
  ['failed', 'Failed'],
  ['canceled', 'Canceled'],
];

/** `/<project>/-/pipelines`: its pipelines, newest first, with what started them and what became of them. */
export default function Pipelines({ path }: { path: string }) {
  const [search] = useSearchParams();
  const status = STATUSES.find((one) => one === search.get('status')) ?? null;
  const query = useQuery(pipelinesQuery(path, status, pageIn(search)));
  useLive(query.data ? { project: path } : null, getLiveQueries(path));
  const mayPush = useMayPush(path);
  return (
    <Page
      title="Pipelines"
      lead={query.data && <Fresh at={query.dataUpdatedAt} everyMs={POLL_MS} failed={query.isRefetchError} />}
    >
      <PipelineTabs path={path} current="pipelines" />
      <LinkTabs
        label="Pipelines by state"
        tabs={TABS.map(([one, label]) => ({
          to: one === null ? '?' : `?status=${one}`,
          label,
          current: one === status,
        }))}
      />
      <RecordList
        title="Pipelines"
        query={query}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Pipeline', cell: (pipeline) => <Name path={path} pipeline={pipeline} /> },
          { title: 'State', cell: ({ status: state }) => <PipelineStatus status={state} /> },
          {
            title: 'Stages',
            cell: ({ id, stages }) => stages.length > 0 && <StageStates to={pipelinesPath(path, id)} stages={stages} />,
          },
          { title: 'Source', cell: ({ source }) => formatSource(source) },
          { title: 'Branch or tag', cell: ({ ref }) => <PipelineRef path={path} name={ref} /> },
          {
            title: 'Commit',
            cell: ({ sha }) => (
              <Link to={commitPath(path, sha)}>
                <code>{sha.slice(0, 8)}</code>
              </Link>
            ),
          },
          { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
        ]}
        empty={
          status === null
            ? 'No pipelines yet. Add a .gitlab-ci.yml to the repository: each push then starts its jobs on a runner, and schedules start them on time.'
            : 'No pipelines in this state.'
        }
        action={
          status === null &&
          mayPush && (
            <div className={rows.pages}>
              <ButtonLink kind="primary" to={pipelineEditorPath(path)}>
                Configure a pipeline
              </ButtonLink>
              <ButtonLink to={newSchedulePath(path)}>New schedule</ButtonLink>
            </div>
          )
        }
      />
    </Page>
  );
}

function Name({ path, pipeline: { id, name } }: { path: string; pipeline: ListedPipeline }) {
  return (
    <>
      <Link className={rows.name} to={pipelinesPath(path, id)}>
        #{id}
      </Link>
      {name && (
        <span className={rows.quiet}>
          <UnbrokenText>{name}</UnbrokenText>
        </span>
      )}
    </>
  );
}
