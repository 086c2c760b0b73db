import { QUICK_ACTIONS_HINT } from '../../notes/discussions/index.js';
import type { Noteable } from '../../notes/discussions/index.js';
import { MERGE_REQUESTS } from './queries.js';

/** The comments of one merge request. */
export const mergeRequestNotes = (path: string, iid: number): Noteable => ({
  path,
  iid,
  found: { in: 'project', by: 'mergeRequest(iid: $id)', type: 'String!', id: String(iid) },
  noun: 'merge request',
  hint: QUICK_ACTIONS_HINT,
  resolvable: true,
  key: [MERGE_REQUESTS, path],
});
