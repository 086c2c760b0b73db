import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { mergeRequestNotes } from './merge-request-notes.js';
import { ThreadsForSignedIn } from '../../notes/discussions/index.js';
import { Button } from '../../../ui/Button.js';
import { Html } from '../../../ui/Html.js';
import { Card, Section } from '../../../ui/Page.js';
import { State } from '../../../ui/State.js';
import { EditRequest } from './EditRequest.js';
import { Merging } from './Merging.js';
import type { MergeRequestDetails } from './queries.js';
import { RequestActions } from './RequestActions.js';
import { RequestSummary } from './RequestSummary.js';

interface RequestOverviewProps {
  path: string;
  request: MergeRequestDetails;
  onSaid: (said: string) => void;
}

/**
 * The state of a merge request, the reasons for it, the available actions, and the comments. `?edit=1` shows its form.
 */
export function RequestOverview({ path, request, onSaid }: RequestOverviewProps) {
  const [search, setSearch] = useSearchParams();
  const { iid, extras } = request;
  // The page displays new pushes by itself, so merges and approvals apply to the head that the user has reviewed, not
  // to a commit that has just arrived. Null: the user's own action replaces the head.
  const [reviewedSha, see] = useState<string | null>(request.sha);
  const head = reviewedSha ?? request.sha;
  if (extras.userPermissions.updateMergeRequest && search.has('edit'))
    return (
      <EditRequest
        path={path}
        request={request}
        onDone={(said) => {
          onSaid(said);
          setSearch({}, { replace: true });
        }}
      />
    );
  return (
    <>
      {request.state === 'opened' && head !== request.sha && (
        <Card>
          <p>
            <State tone="warn">New commits were added. Merging and approving apply to the commits before them.</State>
          </p>
          <div>
            <Button onClick={() => see(request.sha)}>Include new commits</Button>
          </div>
        </Card>
      )}
      <RequestActions path={path} request={request} head={head} onSaid={onSaid} />
      <RequestSummary path={path} request={request} />
      <Section title="Description">
        <Card>
          {extras.descriptionHtml ? (
            <Html label={`Description of !${iid}`} html={extras.descriptionHtml} />
          ) : (
            <p>No description.</p>
          )}
        </Card>
      </Section>
      <Merging path={path} request={request} head={head} onSaid={onSaid} onRebase={() => see(null)} />
      <ThreadsForSignedIn of={mergeRequestNotes(path, iid)} />
    </>
  );
}
