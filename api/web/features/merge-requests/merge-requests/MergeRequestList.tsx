import { newMergeRequestPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { useLive } from '../../../data/live.js';
import { ApiProblem } from '../../../data/problem.js';
import { ButtonLink } from '../../../ui/Button.js';
import { Empty } from '../../../ui/Empty.js';
import { readListParams } from '../../../app/routing/list-address.js';
import { ListFilter, planningFilters } from '../../../app/forms/ListFilter.js';
import type { FilterField } from '../../../app/forms/ListFilter.js';
import { StateTabs } from '../../../app/lists/StateTabs.js';
import { Page } from '../../../ui/Page.js';
import { PageLinks } from '../../../app/lists/PageLinks.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { Whole } from '../../../ui/Whole.js';
import { LIST_OPTIONS, ORDERS, STATES } from './filter.js';
import type { MergeRequestListParams, RequestState } from './filter.js';
import { liveQueriesOf, listedProjectQuery, mergeRequestsQuery } from './queries.js';
import { columnsOf } from './request-columns.js';

const BAD_REQUEST = 400;

const LABELS: Record<RequestState, string> = { opened: 'Open', merged: 'Merged', closed: 'Closed', all: 'All' };

type Titles = { labels: { nodes: { title: string }[] } | null; milestones: { nodes: { title: string }[] } | null };

const fieldsOf = (project: Titles | undefined): FilterField[] => [
  ...planningFilters(project?.labels?.nodes),
  { name: 'assignee_username', label: 'Assignee', hint: 'Username' },
  { name: 'reviewer_username', label: 'Reviewer', hint: 'Username' },
  { name: 'milestone', label: 'Milestone', hint: 'Title; None, Any', titles: project?.milestones?.nodes ?? [] },
  { name: 'source_branch', label: 'Source branch' },
  { name: 'target_branch', label: 'Target branch' },
];

/**
 * `/<project>/-/merge_requests`: the merge requests of a project in one state, filtered and ordered, a page at a time.
 */
export default function MergeRequestList({ path }: { path: string }) {
  const [search] = useSearchParams();
  const params = readListParams(search, LIST_OPTIONS);
  const project = useQuery(listedProjectQuery(path));
  const requests = useQuery(mergeRequestsQuery(path, params));
  useLive(requests.data ? { project: path } : null, liveQueriesOf(path));
  const error = requests.error ?? project.error;
  const loadError = error && (
    <LoadError
      what="Merge requests"
      error={error}
      retry={() => void Promise.all([requests.refetch(), project.refetch()])}
    />
  );
  // Displayed merge requests remain if refetching fails, and so do the filter fields if one of them is invalid.
  const gone = error !== null && !requests.data && !(error instanceof ApiProblem && error.status === BAD_REQUEST);
  const narrowed = Object.keys(params.filter).length > 0;
  return (
    <Page
      title="Merge requests"
      lead={<Whole>{project.data?.nameWithNamespace ?? path}</Whole>}
      action={
        project.data?.userPermissions.pushCode && (
          <ButtonLink kind="primary" to={newMergeRequestPath(path)}>
            New merge request
          </ButtonLink>
        )
      }
    >
      {loadError}
      {!gone && (
        <>
          {/* The counts are of the whole project: they say nothing about what a filter leaves. */}
          <StateTabs
            label="Merge requests by state"
            labels={LABELS}
            states={STATES}
            current={params.state}
            countOf={(state) => (narrowed ? undefined : project.data?.[state]?.count)}
          />
          <ListFilter params={params} orders={ORDERS} fields={fieldsOf(project.data)} />
          {requests.isPending && <LoadingRows label="Loading merge requests" rows={6} />}
          {requests.data?.rows.length === 0 && <None params={params} narrowed={narrowed} />}
          {requests.data && requests.data.rows.length > 0 && (
            <Table
              caption={`Merge requests, ${LABELS[params.state].toLowerCase()}`}
              rows={requests.data.rows}
              keyOf={({ id }) => id}
              columns={columnsOf(path)}
            />
          )}
          <PageLinks page={params.page} next={requests.data?.next ?? null} />
        </>
      )}
    </Page>
  );
}

function None({ params, narrowed }: { params: MergeRequestListParams; narrowed: boolean }) {
  if (params.page > 1) return <Empty>No more merge requests.</Empty>;
  if (narrowed) return <Empty>No merge requests match the filter.</Empty>;
  if (params.state === 'merged') return <Empty>No merged merge requests.</Empty>;
  if (params.state === 'closed') return <Empty>No closed merge requests.</Empty>;
  return <Empty>No open merge requests. Use a merge request to propose changes to a branch.</Empty>;
}
