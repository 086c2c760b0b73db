import { useSearchParams } from 'react-router';
import { mergeRequestNotes } from '../discussions/noteable.js';
import { ThreadsForSignedIn } from '../discussions/ThreadsForSignedIn.js';
import { Html } from '../look/Html.js';
import { Card, Section } from '../look/Page.js';
import { EditRequest } from './EditRequest.js';
import { Merging } from './Merging.js';
import type { ShownRequest } from './queries.js';
import { RequestActions } from './RequestActions.js';
import { RequestFacts } from './RequestFacts.js';

interface RequestOverviewProps {
  path: string;
  request: ShownRequest;
  onSaid: (said: string) => void;
}

/** Where a merge request stands, why it is, what can be done with it, and what is said about it. `?edit=1` shows its form. */
export function RequestOverview({ path, request, onSaid }: RequestOverviewProps) {
  const [search, setSearch] = useSearchParams();
  const { iid, beside } = request;
  if (beside.userPermissions.updateMergeRequest && search.has('edit'))
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
      <RequestActions path={path} request={request} onSaid={onSaid} />
      <RequestFacts path={path} request={request} />
      <Section title="Description">
        <Card>
          {beside.descriptionHtml ? (
            <Html label={`Description of !${iid}`} html={beside.descriptionHtml} />
          ) : (
            <p>No description.</p>
          )}
        </Card>
      </Section>
      <Merging path={path} request={request} onSaid={onSaid} />
      <ThreadsForSignedIn of={mergeRequestNotes(path, iid)} />
    </>
  );
}
