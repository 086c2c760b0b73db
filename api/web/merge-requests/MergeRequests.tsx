import type { MergeRequestsPlace } from './address.js';
import { MergeRequestList } from './MergeRequestList.js';
import { MergeRequestPage } from './MergeRequestPage.js';

/** `/<project>/-/merge_requests` and below: a project's merge requests, for whoever may see them, signed in or not. */
export default function MergeRequests({ place: { path, request } }: { place: MergeRequestsPlace }) {
  if (request === null) return <MergeRequestList path={path} />;
  return <MergeRequestPage key={request.iid} path={path} iid={request.iid} part={request.part} />;
}
