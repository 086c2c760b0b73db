import { issuesPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { useLive } from '../../../data/live.js';
import { ButtonLink } from '../../../ui/Button.js';
import { issueNotes } from './issue-notes.js';
import { Threads } from '../../notes/discussions/index.js';
import { Empty } from '../../../ui/Empty.js';
import { Html } from '../../../ui/Html.js';
import { Card, Page, Section } from '../../../ui/Page.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { Said } from '../../../ui/Said.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useSession } from '../../../data/session.js';
import { EditIssue } from './EditIssue.js';
import { IssueActions } from './IssueActions.js';
import { IssueSummary } from './IssueSummary.js';
import { IssueHistory } from './IssueHistory.js';
import { IssueLinks } from './IssueLinks.js';
import { getLiveQueries, issueQuery } from './queries.js';
import type { IssueDetails } from './queries.js';

/** `/<project>/-/issues/<number>`: one issue. `?edit=1` shows its form, `?history=1` what happened to it. */
export default function IssuePage({ path, iid }: { path: string; iid: number }) {
  const issue = useQuery(issueQuery(path, iid));
  // The form does not change while the user edits it.
  const editing = useSearchParams()[0].has('edit');
  useLive(issue.data ? { project: path } : null, getLiveQueries(path), editing);
  if (!issue.data)
    return (
      <Page title={`Issue #${iid}`} lead={<UnbrokenText>{path}</UnbrokenText>}>
        {issue.error ? (
          <LoadError what="Issues" error={issue.error} retry={() => void issue.refetch()} />
        ) : (
          <LoadingRows label="Loading issue" rows={6} />
        )}
      </Page>
    );
  return <IssueView path={path} issue={issue.data} error={issue.error} retry={() => void issue.refetch()} />;
}

interface IssueViewProps {
  path: string;
  issue: IssueDetails;
  /** Of looking again. */
  error: Error | null;
  retry: () => void;
}

function IssueView({ path, issue, error, retry }: IssueViewProps) {
  const [search, setSearch] = useSearchParams();
  const arrived = (useLocation().state as { said?: string } | null)?.said ?? '';
  const [said, setSaid] = useState(arrived);
  const may = issue.extras.userPermissions;
  const editing = may.updateIssue && search.has('edit');
  return (
    <Page title={issue.title} lead={<Lead path={path} issue={issue} />}>
      <Said>{editing ? '' : said}</Said>
      {error && <LoadError what="Issues" error={error} retry={retry} />}
      {editing ? (
        <EditIssue
          path={path}
          issue={issue}
          onDone={(message) => {
            setSaid(message);
            setSearch({}, { replace: true });
          }}
        />
      ) : (
        <>
          <IssueActions path={path} issue={issue} onSaid={setSaid} />
          <IssueSummary path={path} issue={issue} />
          <Section title="Description">
            <Card>
              {issue.extras.descriptionHtml ? (
                <Html label={`Description of #${issue.iid}`} html={issue.extras.descriptionHtml} />
              ) : (
                <p>No description.</p>
              )}
            </Card>
          </Section>
          <ForSignedIn path={path} issue={issue} />
        </>
      )}
    </Page>
  );
}

/** Links, history and comments, which the API returns only to signed-in users (issue-links.md section 1). */
function ForSignedIn({ path, issue }: { path: string; issue: IssueDetails }) {
  const { data: session } = useSession();
  const { pathname } = useLocation();
  if (!session) return null;
  if (!session.user)
    return (
      <Section title="Links, history and comments">
        <Empty
          action={
            <ButtonLink to={`/users/sign_in?${new URLSearchParams({ redirect_to: pathname })}`}>Sign in</ButtonLink>
          }
        >
          Sign in to see links, history and comments.
        </Empty>
      </Section>
    );
  return (
    <>
      <IssueLinks path={path} iid={issue.iid} mayLink={issue.extras.userPermissions.setIssueMetadata} />
      <IssueHistory path={path} iid={issue.iid} />
      <Threads of={issueNotes(path, issue.iid)} />
    </>
  );
}

function Lead({ path, issue: { iid, author, created_at: created, extras } }: { path: string; issue: IssueDetails }) {
  return (
    <>
      <Link to={issuesPath(path)}>
        <UnbrokenText>{`Issues in ${extras.projectName}`}</UnbrokenText>
      </Link>{' '}
      · #{iid}, opened <Time at={created} /> by <UnbrokenText>{author?.name ?? 'Deleted user'}</UnbrokenText>
    </>
  );
}
