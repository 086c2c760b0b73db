import { QUICK_ACTIONS_HINT } from '../../notes/discussions/index.js';
import type { Noteable } from '../../notes/discussions/index.js';
import { ISSUES } from './queries.js';

/** The comments of one issue. */
export const issueNotes = (path: string, iid: number): Noteable => ({
  path,
  iid,
  found: { in: 'project', by: 'issue(iid: $id)', type: 'String!', id: String(iid) },
  noun: 'issue',
  hint: QUICK_ACTIONS_HINT,
  resolvable: true,
  key: [ISSUES, path],
});
