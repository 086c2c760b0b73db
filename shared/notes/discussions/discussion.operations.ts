import type { Context, SignedInContext } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { NotFound } from '../../core/values/errors.js';
import { boolean, integer, optional, text } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import { exactlyOneOf } from '../../core/operations/params.js';
import { commitNoteableType } from '../noteables/commit-noteable.js';
import { epicNoteableType } from '../noteables/epic-noteable.js';
import { issueNoteableType } from '../noteables/issue-noteable.js';
import { mergeRequestNoteableType } from '../noteables/merge-request-noteable.js';
import { snippetNoteableType } from '../noteables/snippet-noteable.js';
import type { Noteable, NoteableType } from '../noteables/noteable.js';
import { getNoteAnswer, commandsOnly, writeNote } from '../notes/create-note.js';
import { positionParams } from '../notes/position-params.js';
import { deleteNote, editNote, resolveNote } from '../notes/edit-note.js';
import { loadEditedNoteText, textOfNewNote } from '../notes/note-spam.js';
import { findNote } from '../notes/note.finder.js';
import type { OfNotes } from '../noteables/on-notes.js';
import { againstSpam } from '../../tenancy/spam/against-spam.js';
import type { GuardedText } from '../../tenancy/spam/checker.js';
import { internalParam, noteIdParam, noteParams } from '../notes/note.operations.js';
import { canOn } from '../notes/note.policy.js';
import type { NoteRecord, DiscussionRecord } from '../notes/note.entity.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { noteSerializer } from '../notes/note.serializer.js';
import { findDiscussions, findDiscussion, notesOfDiscussion, notesOfDiscussions } from './discussion.finder.js';
import { replyTo, resolveThread } from './thread.js';

/** Parameters of a new thread; threads on merge requests and commits can be attached to the diff. */
const startParams = (type: NoteableType) => ({
  ...noteParams,
  ...internalParam,
  ...((type.diffs ? positionParams : {}) as typeof positionParams),
  ...((type.versioned ? commitParam : {}) as typeof commitParam),
});

const commitParam = {
  commit_id: optional(text()).describe('ID of the commit of the merge request on which the thread starts.'),
};

const idParam = {
  discussion_id: text()
    .describe('ID of the thread: 40 hexadecimal digits.')
    .meta({ examples: ['6a9c1750b37d513a43987b574953fceb50b03ce7'] }),
};

/** The whole thread. @throws NotFound "404 Notes Not Found" */
async function wholeThread(ctx: Context, noteable: Noteable, id: string): Promise<readonly NoteRecord[]> {
  const found = await findDiscussion(ctx, noteable, id).catch((error: unknown) => {
    throw error instanceof NotFound ? new NotFound('Notes') : error;
  });
  return notesOfDiscussion(ctx, found);
}

/** The publicly visible text of a reply, which is internal if its thread is. */
async function textOfReply(
  ctx: SignedInContext,
  noteable: Noteable,
  { discussion_id: id, body }: { discussion_id: string; body: string },
): Promise<GuardedText | null> {
  const first = await ctx.em
    .getKysely<OfNotes>()
    .selectFrom('notes as n')
    .select('n.internal')
    .where('n.discussion_id', '=', id)
    .where(noteable.type.holds(noteable))
    .orderBy('n.id')
    .limit(constant(1))
    .executeTakeFirst();
  return first?.internal === false ? textOfNewNote(ctx, noteable, { body }) : null;
}

/** The discussions of a kind of noteables (discussions-and-notes.md section 1). */
function discussionOperations(type: NoteableType) {
  const { noun, called, resource } = type;
  const planned = type.plan ? { plan: type.plan } : {};
  const readable = { resource, ...planned, can: canOn(type, 'read_note'), kind: 'read', statements: 8 } as const;
  const commenting = {
    resource,
    ...planned,
    can: canOn(type, 'create_note'),
    authentication: 'signed_in_resource',
    kind: 'write',
    statements: 60,
  } as const;
  const editing = { resource, ...planned, can: canOn(type, 'read_note'), kind: 'write', statements: 24 } as const;
  return {
    list: operation({
      ...readable,
      name: `list${noun}Discussions`,
      summary: `List the threads of ${called}`,
      run: (ctx, noteable) => findDiscussions(ctx, noteable),
    }),

    get: operation({
      ...readable,
      name: `get${noun}Discussion`,
      summary: `Read a thread of ${called}`,
      params: idParam,
      run: (ctx, noteable, { discussion_id: id }) => findDiscussion(ctx, noteable, id),
    }),

    create: operation({
      ...commenting,
      name: `create${noun}Discussion`,
      summary: `Start a thread on ${called}`,
      params: startParams(type),
      precheck: againstSpam(textOfNewNote),
      async run(ctx, noteable, input) {
        const written = await writeNote(ctx, noteable, input, 'DiscussionNote');
        return written.note ? findDiscussion(ctx, noteable, written.note.discussion_id) : commandsOnly(written);
      },
    }),

    listNotes: operation({
      ...readable,
      name: `list${noun}DiscussionNotes`,
      summary: `List the notes of a thread of ${called}`,
      params: idParam,
      run: (ctx, noteable, { discussion_id: id }) => wholeThread(ctx, noteable, id),
    }),

    reply: operation({
      ...commenting,
      name: `create${noun}DiscussionNote`,
      summary: `Reply to a thread of ${called}`,
      params: {
        ...idParam,
        ...noteParams,
        note_id: optional(integer()).describe('ID of a note: ignored.'),
      },
      precheck: againstSpam(textOfReply),
      async run(ctx, noteable, { discussion_id: id, ...input }) {
        return getNoteAnswer(await replyTo(ctx, await findDiscussion(ctx, noteable, id), input));
      },
    }),

    getNote: operation({
      ...readable,
      name: `get${noun}DiscussionNote`,
      summary: `Read a note of a thread of ${called}`,
      params: { ...idParam, ...noteIdParam },
      run: (ctx, noteable, { note_id: id }) => findNote(ctx, noteable, id),
    }),

    /** The thread in the path is not checked: clients mix them up. */
    updateNote: operation({
      ...editing,
      name: `update${noun}DiscussionNote`,
      summary: `Edit or resolve a note of a thread of ${called}`,
      example: { body: 'Looks good' },
      params: {
        ...idParam,
        ...noteIdParam,
        body: text().optional().describe('Content of the note; either `body` or `resolved` is required, not both.'),
        resolved: optional(boolean()).describe(
          'If `true`, resolves the note; if `false`, unresolves the note; either `body` or `resolved` is required, not both.',
        ),
      },
      rules: [exactlyOneOf('body', 'resolved')],
      precheck: againstSpam(loadEditedNoteText),
      async run(ctx, noteable, { note_id: id, body, resolved }) {
        const note = await findNote(ctx, noteable, id);
        return resolved === undefined ? editNote(ctx, note, body ?? '') : resolveNote(ctx, note, resolved);
      },
    }),

    removeNote: operation({
      ...editing,
      name: `delete${noun}DiscussionNote`,
      summary: `Delete a note of a thread of ${called}`,
      params: { ...idParam, ...noteIdParam },
      run: async (ctx, noteable, { note_id: id }) => deleteNote(ctx, await findNote(ctx, noteable, id)),
    }),

    resolve: operation({
      ...editing,
      can: canOn(type, 'resolve_discussion'),
      name: `resolve${noun}Discussion`,
      summary: `Resolve or unresolve a thread of ${called}`,
      params: {
        ...idParam,
        resolved: boolean().describe('If `true`, resolves the thread; if `false`, unresolves the thread.'),
      },
      run: async (ctx, noteable, { discussion_id: id, resolved }) =>
        resolveThread(ctx, await findDiscussion(ctx, noteable, id), resolved),
    }),
  };
}

export const issueDiscussionOperations = discussionOperations(issueNoteableType);
export const mergeRequestDiscussionOperations = discussionOperations(mergeRequestNoteableType);
export const epicDiscussionOperations = discussionOperations(epicNoteableType);
export const snippetDiscussionOperations = discussionOperations(snippetNoteableType);
export const commitDiscussionOperations = discussionOperations(commitNoteableType);

/** A thread with its notes (discussions-and-notes.md section 2). */
export const discussionSerializer = serializer<DiscussionRecord>(
  'Discussion',
  {
    id: out.text((discussion) => discussion.discussion_id),
    individual_note: out.boolean((discussion) => discussion.type === null),
    notes: out.records(noteSerializer, (discussion, ctx) => notesOfDiscussions.of(discussion, ctx) ?? []),
  },
  { loads: [notesOfDiscussions] },
);
