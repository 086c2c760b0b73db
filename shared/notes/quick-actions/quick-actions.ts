import type { NoteableType } from '../noteables/noteable.js';
import { epicCommands } from './epic-commands.js';
import { epicDrafts } from './epic-draft.js';
import { issueCommands } from './issue-commands.js';
import { issueDrafts } from './issue-draft.js';
import { mergeRequestCommands } from './merge-request-commands.js';
import { mergeRequestDrafts } from './merge-request-draft.js';
import type { QuickActions } from './quick-action.js';
import { actionsOf } from './run-commands.js';

/** What lines of a comment can do to what it is about; to a commit or snippet nothing. */
export const QUICK_ACTIONS: Readonly<Record<NoteableType['kind'], QuickActions | null>> = {
  issue: actionsOf(issueDrafts, issueCommands),
  merge_request: actionsOf(mergeRequestDrafts, mergeRequestCommands),
  epic: actionsOf(epicDrafts, epicCommands),
  commit: null,
  snippet: null,
};
