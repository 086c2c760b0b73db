import { newMergeRequestPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { useLive } from '../../../data/live.js';
import { ButtonLink } from '../../../ui/Button.js';
import { readListParams } from '../../../app/routing/list-address.js';
import { ListFilter, planningFilters } from '../../../app/forms/ListFilter.js';
import type { FilterField } from '../../../app/forms/ListFilter.js';
import { StateTabs } from '../../../app/lists/StateTabs.js';
import { Page } from '../../../ui/Page.js';
import { FilteredList } from '../../../app/lists/FilteredList.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { LIST_OPTIONS, ORDERS, STATES } from './filter.js';
import type { RequestState } from './filter.js';
import { getLiveQueries, listedProjectQuery, mergeRequestsQuery } from './queries.js';
import { getColumns } from './request-columns.js';

const LABELS: Record<RequestState, string> = { opened: 'Open', merged: 'Merged', closed: 'Closed', all: 'All' };

type Titles = { labels: { nodes: { title: string }[] } | null; milestones: { nodes: { title: string }[] } | null };

const getFields = (project: Titles | undefined): FilterField[] => [
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
  useLive(requests.data ? { project: path } : null, getLiveQueries(path));
  const narrowed = Object.keys(params.filter).length > 0;
  return (
    <Page
      title="Merge requests"
      lead={<UnbrokenText>{project.data?.nameWithNamespace ?? path}</UnbrokenText>}
      action={
        project.data?.userPermissions.pushCode && (
          <ButtonLink kind="primary" to={newMergeRequestPath(path)}>
            New merge request
          </ButtonLink>
        )
      }
    >
      <FilteredList
        title="Merge requests"
        caption={`Merge requests, ${LABELS[params.state].toLowerCase()}`}
        filter={
          <>
            {/* The counts are of the whole project: they say nothing about what a filter leaves. */}
            <StateTabs
              label="Merge requests by state"
              labels={LABELS}
              states={STATES}
              current={params.state}
              countOf={(state) => (narrowed ? undefined : project.data?.[state]?.count)}
            />
            <ListFilter params={params} orders={ORDERS} fields={getFields(project.data)} />
          </>
        }
        query={requests}
        keyOf={({ id }) => id}
        columns={getColumns(path)}
        empty={emptyMessage(params.state, narrowed)}
      />
    </Page>
  );
}

function emptyMessage(state: RequestState, narrowed: boolean): string {
  if (narrowed) return 'No merge requests match the filter.';
  if (state === 'merged') return 'No merged merge requests.';
  if (state === 'closed') return 'No closed merge requests.';
  return 'No open merge requests. Use a merge request to propose changes to a branch.';
}
