import { mergeRequestNotes } from '../discussions/noteable.js';
import { ThreadsForSignedIn } from '../discussions/ThreadsForSignedIn.js';
import { Html } from '../look/Html.js';
import { Card, Section } from '../look/Page.js';
import type { ShownRequest } from './queries.js';
import { RequestFacts } from './RequestFacts.js';

/** Where a merge request stands, why it is, and what is said about it. */
export function RequestOverview({ path, request }: { path: string; request: ShownRequest }) {
  const { iid, beside } = request;
  return (
    <>
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
      <ThreadsForSignedIn of={mergeRequestNotes(path, iid)} />
    </>
  );
}
