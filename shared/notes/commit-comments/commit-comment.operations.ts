import { text } from '../../core/fields.js';
import { operation } from '../../core/operation.js';
import { out, shape } from '../../core/shape.js';
import { userSummary } from '../../tenancy/users/user.shape.js';
import { commitNoteableType } from '../noteables/commit-noteable.js';
import { writeNote } from '../notes/create-note.js';
import { notesOf } from '../notes/note.finder.js';
import { canOn } from '../notes/note.policy.js';
import type { NoteRecord } from '../notes/note.record.js';

/** A note on a commit as the older API shows it. None of them is about a line of its diff yet. */
export const commitComment = shape<NoteRecord>('CommitComment', {
  note: out.text((comment) => comment.note),
  path: out.nullableText(() => null),
  line: out.nullableInteger(() => null),
  line_type: out.nullableText(() => null),
  author: out.nullableRecord(userSummary, (comment) => comment.author),
  created_at: out.instant((comment) => comment.created_at),
});

const { subject } = commitNoteableType;

/** List what was said about a commit, the first one first; replies are comments like any others. */
export const listCommitComments = operation({
  name: 'listCommitComments',
  summary: 'List the comments of a commit',
  subject,
  can: canOn(commitNoteableType, 'read_note'),
  kind: 'read',
  statements: 8,
  run: (ctx, noteable) => Promise.resolve(notesOf(ctx, noteable)),
});

/** Comment on a commit. */
export const createCommitComment = operation({
  name: 'createCommitComment',
  summary: 'Comment on a commit',
  subject,
  can: canOn(commitNoteableType, 'create_note'),
  gate: 'signed_in_subject',
  kind: 'write',
  statements: 24,
  params: {
    note: text()
      .describe('What is said, in Markdown.')
      .meta({ examples: ['Looks good'] }),
  },
  async run(ctx, noteable, input) {
    const { note } = await writeNote(ctx, noteable, { body: input.note }, null);
    // Commits know no quick actions that could leave none.
    return note as NoteRecord;
  },
});
