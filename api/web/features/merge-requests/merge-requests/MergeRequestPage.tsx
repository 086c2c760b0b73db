import { mergeRequestsPath } from '../../../app/routing/paths.js';
import type { MergeRequestPart } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useLive } from '../../../data/live.js';
import { LinkTabs } from '../../../ui/LinkTabs.js';
import { Page } from '../../../ui/Page.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { Said } from '../../../ui/Said.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { getLiveQueries, mergeRequestQuery } from './queries.js';
import type { MergeRequestDetails } from './queries.js';
import { RequestCommits } from './RequestCommits.js';
import { RequestDiffs } from './RequestDiffs.js';
import { RequestOverview } from './RequestOverview.js';

interface MergeRequestPageProps {
  path: string;
  iid: number;
  part: MergeRequestPart;
}

/** `/<project>/-/merge_requests/<number>`: one merge request with its comments, its commits or its changes. */
export default function MergeRequestPage({ path, iid, part }: MergeRequestPageProps) {
  const found = useQuery(mergeRequestQuery(path, iid));
  useLive(found.data ? { project: path } : null, getLiveQueries(path));
  const loadError = found.error && (
    <LoadError what="Merge requests" error={found.error} retry={() => void found.refetch()} />
  );
  const request = found.data;
  if (!request)
    return (
      <Page title={`Merge request !${iid}`} lead={<UnbrokenText>{path}</UnbrokenText>}>
        {loadError ?? <LoadingRows label="Loading merge request" rows={6} />}
      </Page>
    );
  return <MergeRequestView path={path} part={part} request={request} loadError={loadError} />;
}

interface MergeRequestViewProps {
  path: string;
  part: MergeRequestPart;
  request: MergeRequestDetails;
  /** Of looking again. */
  loadError: ReactNode;
}

function MergeRequestView({ path, part, request, loadError }: MergeRequestViewProps) {
  const { iid } = request;
  const arrived = (useLocation().state as { said?: string } | null)?.said ?? '';
  const [said, setSaid] = useState(arrived);
  return (
    <Page title={request.title} lead={<Lead path={path} request={request} />}>
      {loadError}
      <Said>{said}</Said>
      <LinkTabs
        label="Merge request tabs"
        tabs={[
          { to: mergeRequestsPath(path, iid), label: 'Overview', current: part === 'overview' },
          { to: mergeRequestsPath(path, iid, 'commits'), label: 'Commits', current: part === 'commits' },
          { to: mergeRequestsPath(path, iid, 'diffs'), label: 'Changes', current: part === 'diffs' },
        ]}
      />
      {part === 'overview' && <RequestOverview path={path} request={request} onSaid={setSaid} />}
      {part === 'commits' && <RequestCommits path={path} iid={iid} />}
      {part === 'diffs' && <RequestDiffs path={path} request={request} />}
    </Page>
  );
}

function Lead({ path, request }: { path: string; request: MergeRequestDetails }) {
  const { iid, author, created_at: created, extras } = request;
  return (
    <>
      <Link to={mergeRequestsPath(path)}>
        <UnbrokenText>{`Merge requests in ${extras.projectName}`}</UnbrokenText>
      </Link>{' '}
      · !{iid}, opened <Time at={created} /> by <UnbrokenText>{author?.name ?? 'Deleted user'}</UnbrokenText>
    </>
  );
}
