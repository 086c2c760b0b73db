import type { MergeRequestsLocation } from '../../../app/routing/addresses/merge-requests.js';
import { MergeRequestList } from './MergeRequestList.js';
import { MergeRequestPage } from './MergeRequestPage.js';
import { NewRequestPage } from './NewRequestPage.js';

/** `/<project>/-/merge_requests` and below: a project's merge requests, for whoever may see them, signed in or not. */
export default function MergeRequests({ location: { path, request } }: { location: MergeRequestsLocation }) {
  if (request === null) return <MergeRequestList path={path} />;
  if (request === 'new') return <NewRequestPage path={path} />;
  return <MergeRequestPage key={request.iid} path={path} iid={request.iid} part={request.part} />;
}
