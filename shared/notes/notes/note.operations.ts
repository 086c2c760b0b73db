import type { Context } from '../../core/context/context.js';
import { boolean, instant, integer, oneOf, optional, text, withDefault } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { operation } from '../../core/operations/operation.js';
import { epicNoteableType } from '../noteables/epic-noteable.js';
import { issueNoteableType } from '../noteables/issue-noteable.js';
import { mergeRequestNoteableType } from '../noteables/merge-request-noteable.js';
import { snippetNoteableType } from '../noteables/snippet-noteable.js';
import type { Noteable, NoteableType } from '../noteables/noteable.js';
import { getNoteAnswer, writeNote } from './create-note.js';
import { deleteNote, editNote } from './edit-note.js';
import { ACTIVITY_FILTERS, listedNotes, ofActivity } from './visible-notes.js';
import { findNote, noteOrder, findNotes } from './note.finder.js';
import { loadEditedNoteText, textOfNewNote } from './note-spam.js';
import { againstSpam } from '../../tenancy/spam/against-spam.js';
import { canOn } from './note.policy.js';
import type { NoteRecord } from './note.entity.js';

interface NoteListInput {
  order_by: 'created_at' | 'updated_at';
  sort: 'asc' | 'desc';
  activity_filter: (typeof ACTIVITY_FILTERS)[number];
}

async function listNotes(
  ctx: Context,
  noteable: Noteable,
  { order_by, sort, activity_filter }: NoteListInput,
): Promise<List<NoteRecord>> {
  const list = await findNotes(ctx, noteable, [listedNotes, ...ofActivity(activity_filter)]);
  return { ...list, order: noteOrder(order_by, sort) };
}

export const noteParams = {
  body: text()
    .describe('Content of the note, in Markdown: at most 1,000,000 characters.')
    .meta({ examples: ['Looks good'] }),
  created_at: optional(instant()).describe(
    'Timestamp of when the note was created: for Owners and administrators; for others, the current time is used.',
  ),
};

export const internalParam = {
  internal: optional(boolean()).describe(
    'If `true`, the note is only for Planners and above; ignored for callers below that role.',
  ),
};

const headParam = {
  merge_request_diff_head_sha: optional(text()).describe(
    'SHA of the head that the author of the note saw; `/merge` merges this head.',
  ),
};

export const noteIdParam = { note_id: integer().describe('ID of the note.') };

/** The Notes API of a kind of noteables. */
function noteOperations(type: NoteableType) {
  const { noun, called, resource } = type;
  const planned = type.plan ? { plan: type.plan } : {};
  const readable = { resource, ...planned, can: canOn(type, 'read_note'), kind: 'read', statements: 8 } as const;
  return {
    list: operation({
      ...readable,
      name: `list${noun}Notes`,
      summary: `List the notes of ${called}`,
      params: {
        order_by: withDefault(oneOf(['created_at', 'updated_at']), 'created_at').describe('Column to order by.'),
        sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe(
          'Direction of the order: newest or oldest note first.',
        ),
        activity_filter: withDefault(oneOf(ACTIVITY_FILTERS), 'all_notes').describe(
          'Filter by activity: only comments by users, or only system notes.',
        ),
      },
      run: (ctx, noteable, input) => listNotes(ctx, noteable, input),
    }),

    get: operation({
      ...readable,
      name: `get${noun}Note`,
      summary: `Read a note of ${called}`,
      params: noteIdParam,
      run: (ctx, noteable, { note_id: id }) => findNote(ctx, noteable, id),
    }),

    create: operation({
      name: `create${noun}Note`,
      summary: `Comment on ${called}`,
      resource,
      ...planned,
      can: canOn(type, 'create_note'),
      authentication: 'signed_in_resource',
      kind: 'write',
      statements: 60,
      limit: 'notes_create',
      precheck: againstSpam(textOfNewNote),
      params: {
        ...noteParams,
        ...internalParam,
        ...((type.versioned ? headParam : {}) as typeof headParam),
        confidential: optional(boolean()).describe('Deprecated: use `internal`, which takes precedence.'),
      },
      async run(ctx, noteable, { confidential, internal = confidential, ...attributes }) {
        return getNoteAnswer(await writeNote(ctx, noteable, { ...attributes, internal }, null));
      },
    }),

    update: operation({
      name: `update${noun}Note`,
      summary: `Edit a note of ${called}`,
      resource,
      ...planned,
      can: canOn(type, 'read_note'),
      kind: 'write',
      precheck: againstSpam(loadEditedNoteText),
      statements: 25,
      params: {
        ...noteIdParam,
        body: text()
          .optional()
          .describe('Content of the note.')
          .meta({ examples: ['Looks good'] }),
        confidential: optional(boolean()).describe('Has no effect: the confidentiality of a note cannot be changed.'),
      },
      async run(ctx, noteable, { note_id: id, body }) {
        const note = await findNote(ctx, noteable, id);
        return editNote(ctx, note, body ?? note.note);
      },
    }),

    remove: operation({
      name: `delete${noun}Note`,
      summary: `Delete a note of ${called}`,
      resource,
      ...planned,
      can: canOn(type, 'read_note'),
      kind: 'write',
      params: noteIdParam,
      run: async (ctx, noteable, { note_id: id }) => deleteNote(ctx, await findNote(ctx, noteable, id)),
    }),
  };
}

export const mergeRequestNoteOperations = noteOperations(mergeRequestNoteableType);
export const epicNoteOperations = noteOperations(epicNoteableType);
export const snippetNoteOperations = noteOperations(snippetNoteableType);
export const issueNoteOperations = noteOperations(issueNoteableType);
