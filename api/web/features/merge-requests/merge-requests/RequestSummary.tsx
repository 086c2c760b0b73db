import { commitPath, mergeRequestsPath } from '../../../app/routing/paths.js';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DetailList } from '../../../ui/DetailList.js';
import { Labels } from '../../../ui/Labels.js';
import { State } from '../../../ui/State.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { MilestoneLink } from '../../../app/records/MilestoneLink.js';
import { formatMergeability } from './format-mergeability.js';
import type { MergeRequestDetails } from './queries.js';
import { RequestState } from './request-columns.js';

type Detail = readonly [string, ReactNode];

/** Number of digits of a SHA that are shown. */
const SHORT_SHA_LENGTH = 8;

const getNames = (people: readonly { name: string }[]) =>
  people.length === 0 ? 'none' : <UnbrokenText>{people.map(({ name }) => name).join(', ')}</UnbrokenText>;

/** The attributes of a merge request; empty ones are omitted, except assignees and planning attributes. */
export function RequestSummary({ path, request }: { path: string; request: MergeRequestDetails }) {
  const { labels } = request.extras;
  const details: (Detail | null)[] = [
    ['State', <StateOf key="state" request={request} />],
    getMergeability(request),
    ['Branches', <Branches key="branches" request={request} />],
    request.sha === null ? null : ['Head', <Sha key="head" path={path} sha={request.sha} />],
    request.merge_commit_sha === null
      ? null
      : ['Merge commit', <Sha key="merge" path={path} sha={request.merge_commit_sha} />],
    request.changes_count === null ? null : ['Changed files', request.changes_count],
    request.head_pipeline === null
      ? null
      : ['Pipeline', `#${request.head_pipeline.id} ${request.head_pipeline.status.replaceAll('_', ' ')}`],
    ['Approvals', getApprovals(request)],
    ['Reviewers', getNames(request.reviewers)],
    ['Assignees', getNames(request.assignees)],
    ['Milestone', request.milestone ? <MilestoneLink key="milestone" milestone={request.milestone} /> : 'none'],
    ['Labels', labels?.nodes.length ? <LabelsOf key="labels" path={path} request={request} /> : 'none'],
    ['Updated', <Time key="changed" at={request.updated_at} />],
    request.merge_error === null
      ? null
      : ['Merge error', <UnbrokenText key="error">{request.merge_error}</UnbrokenText>],
    request.discussion_locked ? ['Discussion', 'locked: only members can comment'] : null,
  ];
  return <DetailList details={details.filter((detail): detail is Detail => detail !== null)} />;
}

function StateOf({ request }: { request: MergeRequestDetails }) {
  const merged = request.state === 'merged';
  const at = merged ? request.merged_at : request.closed_at;
  const by = merged ? request.merge_user : request.closed_by;
  return (
    <span>
      <RequestState request={request} />{' '}
      {request.state !== 'opened' && (
        <>
          {at && <Time at={at} />} {by && <UnbrokenText>{`by ${by.name}`}</UnbrokenText>}
        </>
      )}
    </span>
  );
}

function getMergeability(request: MergeRequestDetails): Detail | null {
  const mergeability = formatMergeability(request);
  return (
    mergeability && [
      'Merge status',
      <State key="merging" tone={mergeability[0]}>
        {mergeability[1]}
        {request.merge_when_pipeline_succeeds && ', auto-merge when the pipeline succeeds'}
      </State>,
    ]
  );
}

function Branches({ request }: { request: MergeRequestDetails }) {
  const {
    source_branch: source,
    target_branch: target,
    source_project_id: sourceId,
    target_project_id: targetId,
  } = request;
  const fromProject =
    sourceId === null ? ' from a deleted project' : sourceId === targetId ? '' : ` from project ${sourceId}`;
  return (
    <span>
      <code>
        <UnbrokenText>{source}</UnbrokenText>
      </code>
      {fromProject} into{' '}
      <code>
        <UnbrokenText>{target}</UnbrokenText>
      </code>
    </span>
  );
}

function Sha({ path, sha }: { path: string; sha: string }) {
  return (
    <Link to={commitPath(path, sha)}>
      <code>{sha.slice(0, SHORT_SHA_LENGTH)}</code>
    </Link>
  );
}

function getApprovals({ extras: { approvedBy, approvalsRequired: required } }: MergeRequestDetails): ReactNode {
  const people = approvedBy?.nodes ?? [];
  const by = people.length === 0 ? 'no approvals yet' : `by ${people.map(({ name }) => name).join(', ')}`;
  return <UnbrokenText>{required ? `${people.length} of ${required}, ${by}` : by}</UnbrokenText>;
}

function LabelsOf({ path, request }: { path: string; request: MergeRequestDetails }) {
  const labels = (request.extras.labels?.nodes ?? []).map(({ title, ...rest }) => ({ name: title, ...rest }));
  return <Labels list={mergeRequestsPath(path)} labels={labels} />;
}
