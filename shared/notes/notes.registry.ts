import type { Domain } from '../core/domain.js';
import { addMergeFacts } from '../merge-requests/merge-requests/merge-facts.js';
import { addParticipants } from '../planning/issuable-tracking/participants.js';
import { removeWithAuthor } from '../tenancy/user-lifecycle/own-words.js';
import { openDiscussions } from './discussions/open-discussions.js';
import { NoteAwardEmoji } from './note-awards/note-award-emoji.entity.js';
import { keepNoteMentions } from './note-mentions/note-mention.jobs.js';
import { participantsByNotes } from './note-mentions/note-participants.js';
import { issueNoteable } from './noteables/issue-noteable.js';
import { mergeRequestNoteable } from './noteables/merge-request-noteable.js';
import { movePositions } from './positions/move-positions.jobs.js';
import { NoteDiffLines } from './notes/note-diff-lines.entity.js';
import { Note } from './notes/note.entity.js';
import { removeNotesOf } from './notes/remove-notes.js';
import { Suggestion } from './notes/suggestion.entity.js';
import { ToDo } from './to-dos/to-do.entity.js';
import { notesAuditOf } from './notes.audit.js';
import { notesFollowed, notesPageChanges } from './notes.pages.js';
import { notesSubscribers } from './notes.subscribers.js';

addMergeFacts(openDiscussions);
addParticipants('issue', participantsByNotes(issueNoteable));
addParticipants('merge_request', participantsByNotes(mergeRequestNoteable));
removeWithAuthor(removeNotesOf);

export const notesDomain: Domain = {
  name: 'notes',
  entities: [Note, NoteAwardEmoji, NoteDiffLines, Suggestion, ToDo],
  jobKinds: [keepNoteMentions, movePositions],
  subscribers: notesSubscribers,
  followed: notesFollowed,
  pageChanges: notesPageChanges,
  auditOf: notesAuditOf,
};
