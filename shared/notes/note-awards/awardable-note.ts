import type { Subject } from '../../core/operation.js';
import { raw } from '../../core/sql.js';
import { awardOperations } from '../../planning/award-emoji/award-emoji.operations.js';
import type { Awardable, AwardableType } from '../../planning/award-emoji/awardable.js';
import { issue } from '../../planning/issues/issue.finder.js';
import { issueNoteable } from '../noteables/issue-noteable.js';
import { findNote } from '../notes/note.finder.js';
import { noteIdParam } from '../notes/note.operations.js';

/** A note of an issue, as rights on emoji know it; the issue is locked for a write. */
const noteOfIssue: Subject<Awardable> = {
  noun: 'Note',
  params: { ...issue.params, ...noteIdParam },
  async find(ctx, input: { note_id: number }) {
    const record = await issue.find(ctx, input as never);
    const { id } = await findNote(ctx, issueNoteable(record), input.note_id);
    return { id, project_id: record.project_id, project: record.project, discussion_locked: record.discussion_locked };
  },
  about: ({ project }) => issue.about!({ project } as never),
};

const awardableNote: AwardableType = {
  words: 'a note of an issue',
  noun: 'Note',
  awards: raw('note_award_emojis'),
  column: raw('note_id'),
  place: raw('project_id'),
  subject: noteOfIssue,
  // Who may read the issue and the note is asked where the note is found.
  reads: () => true,
};

export const issueNoteAwardOperations = awardOperations(awardableNote, 'IssueNote');
