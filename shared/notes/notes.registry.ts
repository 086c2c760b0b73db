import type { Domain } from '../core/domain.js';
import { allReadings } from '../instance/audit-events/audit-log.js';
import { notesEntities } from './notes.entities.js';
import { addMergeDetails } from '../merge-requests/merge-requests/merge-details.js';
import { addParticipants } from '../planning/issuables/participants.js';
import { removeWithAuthor } from '../tenancy/users/authored-content.js';
import { openDiscussions } from './discussions/open-discussions.js';
import { createMemberToDos, createMentionToDos, keepNoteMentions, movePositions } from './notes.jobs.js';
import { participantsByNotes } from './notes/commenters.js';
import { issueNoteable } from './noteables/issue-noteable.js';
import { mergeRequestNoteable } from './noteables/merge-request-noteable.js';
import { removeNotesOf } from './notes/remove-notes.js';
import * as readings from './notes.audit.js';
import { notesLiveKinds, notesPageChanges } from './notes.pages.js';
import { notesSubscribers } from './notes.subscribers.js';

addMergeDetails(openDiscussions);
addParticipants('issue', participantsByNotes(issueNoteable));
addParticipants('merge_request', participantsByNotes(mergeRequestNoteable));
removeWithAuthor(removeNotesOf);

export const notesDomain: Domain = {
  name: 'notes',
  entities: notesEntities,
  jobKinds: [createMemberToDos, createMentionToDos, keepNoteMentions, movePositions],
  subscribers: notesSubscribers,
  liveKinds: notesLiveKinds,
  pageChanges: notesPageChanges,
  auditOf: allReadings(readings),
};
