import type { NoteableType } from '../noteables/noteable.js';
import { issueActions } from './issue-actions.js';
import type { QuickActions } from './quick-action.js';

/** What lines of a comment can do to what it is about; to a commit nothing. */
export const QUICK_ACTIONS: Readonly<Record<NoteableType['kind'], QuickActions | null>> = {
  issue: issueActions,
  merge_request: null,
  commit: null,
};
