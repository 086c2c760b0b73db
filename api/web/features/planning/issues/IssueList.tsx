import { issuesPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useSearchParams } from 'react-router';
import { useLive } from '../../../data/live.js';
import { ApiProblem } from '../../../data/problem.js';
import { ButtonLink } from '../../../ui/Button.js';
import { Empty } from '../../../ui/Empty.js';
import { StateTabs } from '../../../app/lists/StateTabs.js';
import { readListParams } from '../../../app/routing/list-address.js';
import { Page } from '../../../ui/Page.js';
import { PageLinks } from '../../../app/lists/PageLinks.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { Said } from '../../../ui/Said.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { Whole } from '../../../ui/Whole.js';
import { useSession } from '../../../data/session.js';
import { LIST_OPTIONS, STATES } from './filter.js';
import type { IssueListParams, IssueState } from './filter.js';
import { columnsOf } from './issue-columns.js';
import { IssueFilter } from './IssueFilter.js';
import { countsQuery, liveQueriesOf, issuesQuery, projectQuery } from './queries.js';
import type { IssuesProject } from './queries.js';

const BAD_REQUEST = 400;

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
  useLive(issues.data ? { project: path } : null, liveQueriesOf(path));
  const person = useSession().data?.user ?? null;
  const mayCreate = person !== null && project.data !== undefined && takesNew(project.data);
  const said = (useLocation().state as { said?: string } | null)?.said ?? '';
  const error = issues.error ?? project.error;
  const loadError = error && (
    <LoadError what="Issues" error={error} retry={() => void Promise.all([issues.refetch(), project.refetch()])} />
  );
  // Displayed issues remain if refetching fails, and so do the filter fields if one of them is invalid.
  const gone = error !== null && !issues.data && !(error instanceof ApiProblem && error.status === BAD_REQUEST);
  return (
    <Page
      title="Issues"
      lead={<Whole>{project.data?.nameWithNamespace ?? path}</Whole>}
      action={
        mayCreate && (
          <ButtonLink kind="primary" to={issuesPath(path, 'new')}>
            New issue
          </ButtonLink>
        )
      }
    >
      <Said>{said}</Said>
      {loadError}
      {!gone && (
        <>
          <StateTabs
            label="Issues by state"
            labels={LABELS}
            states={STATES}
            current={params.state}
            countOf={(state) => counts.data?.statistics.counts[state]}
          />
          <IssueFilter params={params} project={project.data} />
          {issues.isPending && <LoadingRows label="Loading issues" rows={6} />}
          {issues.data?.rows.length === 0 && <NoIssues params={params} path={path} mayCreate={mayCreate} />}
          {issues.data && issues.data.rows.length > 0 && (
            <Table
              caption={`Issues, ${LABELS[params.state].toLowerCase()}`}
              rows={issues.data.rows}
              keyOf={({ id }) => id}
              columns={columnsOf(path)}
            />
          )}
          <PageLinks page={params.page} next={issues.data?.next ?? null} />
        </>
      )}
    </Page>
  );
}

function NoIssues({ params, path, mayCreate }: { params: IssueListParams; path: string; mayCreate: boolean }) {
  if (params.page > 1) return <Empty>No more issues.</Empty>;
  if (Object.keys(params.filter).length > 0) return <Empty>No issues match the filter.</Empty>;
  if (params.state === 'closed') return <Empty>No closed issues.</Empty>;
  return (
    <Empty action={mayCreate && <ButtonLink to={issuesPath(path, 'new')}>Create an issue</ButtonLink>}>
      No open issues. Use issues to track tasks and bugs.
    </Empty>
  );
}
