import { QUICK_ACTIONS_HINT } from '../../notes/discussions/index.js';
import type { Noteable } from '../../notes/discussions/index.js';
import { EPICS } from './queries.js';

/** The comments of one epic. */
export const epicNotes = (path: string, iid: number): Noteable => ({
  path,
  iid,
  found: { in: 'group', by: 'epic(iid: $id)', type: 'ID!', id: String(iid) },
  noun: 'epic',
  hint: QUICK_ACTIONS_HINT,
  resolvable: false,
  key: [EPICS, path],
});
