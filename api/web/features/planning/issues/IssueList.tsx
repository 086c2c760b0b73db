import { issuesPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useSearchParams } from 'react-router';
import { useLive } from '../../../data/live.js';
import { ButtonLink } from '../../../ui/Button.js';
import { StateTabs } from '../../../app/lists/StateTabs.js';
import { readListParams } from '../../../app/routing/list-address.js';
import { Page } from '../../../ui/Page.js';
import { FilteredList } from '../../../app/lists/FilteredList.js';
import { Said } from '../../../ui/Said.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useSession } from '../../../data/session.js';
import { LIST_OPTIONS, STATES } from './filter.js';
import type { IssueState } from './filter.js';
import { getColumns } from './issue-columns.js';
import { IssueFilter } from './IssueFilter.js';
import { countsQuery, getLiveQueries, issuesQuery, projectQuery } from './queries.js';
import type { IssuesProject } from './queries.js';

const LABELS: Record<IssueState, string> = { opened: 'Open', closed: 'Closed', all: 'All' };

/** Whether users may create issues: any signed-in user with access to the project's issues. */
const takesNew = ({ archived, markedForDeletionOn, issuesEnabled }: IssuesProject) =>
  issuesEnabled === true && !archived && markedForDeletionOn === null;

/** `/<project>/-/issues`: the issues of a project in one state, narrowed and ordered, a page at a time. */
export default function IssueList({ path }: { path: string }) {
  const [search] = useSearchParams();
  const params = readListParams(search, LIST_OPTIONS);
  const project = useQuery(projectQuery(path));
  const counts = useQuery(countsQuery(path, params.filter));
  const issues = useQuery(issuesQuery(path, params));
  useLive(issues.data ? { project: path } : null, getLiveQueries(path));
  const person = useSession().data?.user ?? null;
  const mayCreate = person !== null && project.data !== undefined && takesNew(project.data);
  const said = (useLocation().state as { said?: string } | null)?.said ?? '';
  const narrowed = Object.keys(params.filter).length > 0;
  return (
    <Page
      title="Issues"
      lead={<UnbrokenText>{project.data?.nameWithNamespace ?? path}</UnbrokenText>}
      action={
        mayCreate && (
          <ButtonLink kind="primary" to={issuesPath(path, 'new')}>
            New issue
          </ButtonLink>
        )
      }
    >
      <Said>{said}</Said>
      <FilteredList
        title="Issues"
        caption={`Issues, ${LABELS[params.state].toLowerCase()}`}
        filter={
          <>
            <StateTabs
              label="Issues by state"
              labels={LABELS}
              states={STATES}
              current={params.state}
              countOf={(state) => counts.data?.statistics.counts[state]}
            />
            <IssueFilter params={params} project={project.data} />
          </>
        }
        query={issues}
        keyOf={({ id }) => id}
        columns={getColumns(path)}
        empty={emptyMessage(params.state, narrowed)}
        action={
          mayCreate &&
          !narrowed &&
          params.state !== 'closed' && <ButtonLink to={issuesPath(path, 'new')}>Create an issue</ButtonLink>
        }
      />
    </Page>
  );
}

function emptyMessage(state: IssueState, narrowed: boolean): string {
  if (narrowed) return 'No issues match the filter.';
  if (state === 'closed') return 'No closed issues.';
  return 'No open issues. Use issues to track tasks and bugs.';
}
