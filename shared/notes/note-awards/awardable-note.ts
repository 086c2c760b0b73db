import type { Resource } from '../../core/operations/operation.js';
import { mergeRequest } from '../../merge-requests/merge-requests/merge-request.finder.js';
import { mergeRequestPolicy } from '../../merge-requests/merge-requests/merge-request.policy.js';
import type { MergeRequestRecord } from '../../merge-requests/merge-requests/merge-request.entity.js';
import { awardOperations } from '../../planning/award-emoji/award-emoji.operations.js';
import { awardTables } from '../../planning/award-emoji/awardable.js';
import type { Awardable, AwardableType } from '../../planning/award-emoji/awardable.js';
import { epic } from '../../planning/epics/epic.finder.js';
import { issue } from '../../planning/issues/issue.finder.js';
import { projectSnippet } from '../../planning/snippets/snippet.finder.js';
import { epicNoteable } from '../noteables/epic-noteable.js';
import { issueNoteable } from '../noteables/issue-noteable.js';
import { mergeRequestNoteable } from '../noteables/merge-request-noteable.js';
import type { Noteable } from '../noteables/noteable.js';
import { snippetNoteable } from '../noteables/snippet-noteable.js';
import { findNote } from '../notes/note.finder.js';
import { noteablePolicy } from '../notes/note.policy.js';
import { noteIdParam } from '../notes/note.operations.js';

/** A note as rights on emoji know it, with what it is about. */
interface AwardableNote extends Awardable {
  readonly noteable: Noteable;
}

/** A note of a record; that is locked for a write. */
const getNote = <R extends object>(of: Resource<R>, noteableOf: (record: R) => Noteable): Resource<AwardableNote> => ({
  noun: 'Note',
  params: { ...of.params, ...noteIdParam },
  async find(ctx, input: { note_id: number }) {
    const noteable = noteableOf(await of.find(ctx, input));
    const { id } = await findNote(ctx, noteable, input.note_id);
    const { container, locked: discussion_locked } = noteable;
    return container.kind === 'project'
      ? { id, project: container.record, discussion_locked, noteable }
      : { id, group: container.record, discussion_locked, noteable };
  },
  about: ({ noteable }) => of.about!(noteable.record as R),
});

const awardableNote = (
  nounPhrase: string,
  resource: Resource<AwardableNote>,
  overrides: Partial<AwardableType<AwardableNote>> = {},
): AwardableType<AwardableNote> => ({
  nounPhrase,
  noun: 'Note',
  tables: awardTables('note_award_emojis', 'note_id', 'project_id'),
  resource,
  // Access to the record and to the note itself is checked where the note is found.
  reads: (caller, { noteable }) => noteablePolicy.read_note(caller, noteable),
  ...overrides,
});

const inGroup = {
  tables: awardTables('note_award_emojis', 'note_id', 'namespace_id'),
  plan: 'premium',
} as const;

/** Emoji on notes. Epics are addressed by their numbers here, as for emoji on the epics themselves. */
export const issueNoteAwardOperations = awardOperations(
  awardableNote('a note of an issue', getNote(issue, issueNoteable)),
  'IssueNote',
);
export const mergeRequestNoteAwardOperations = awardOperations(
  awardableNote('a note of a merge request', getNote(mergeRequest, mergeRequestNoteable), {
    reads: (caller, { noteable }) =>
      noteablePolicy.read_note(caller, noteable) &&
      mergeRequestPolicy.read_merge_request(caller, noteable.record as MergeRequestRecord),
  }),
  'MergeRequestNote',
);
export const epicNoteAwardOperations = awardOperations(
  awardableNote('a note of an epic', getNote(epic, epicNoteable), inGroup),
  'EpicNote',
);
export const snippetNoteAwardOperations = awardOperations(
  awardableNote('a note of a snippet', getNote(projectSnippet, snippetNoteable)),
  'SnippetNote',
);
