import { out, shape } from '../../core/operations/shape.js';
import { noteShape } from '../notes/note.shape.js';
import type { DiscussionRecord } from '../notes/note.record.js';
import { notesOfDiscussions } from './discussion.finder.js';

/** A thread with its notes (discussions-and-notes.md section 2). */
export const discussionShape = shape<DiscussionRecord>(
  'Discussion',
  {
    id: out.text((discussion) => discussion.discussion_id),
    individual_note: out.boolean((discussion) => discussion.type === null),
    notes: out.records(noteShape, (discussion, ctx) => notesOfDiscussions.of(discussion, ctx) ?? []),
  },
  { loads: [notesOfDiscussions] },
);
