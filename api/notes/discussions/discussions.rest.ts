import {
  commitDiscussionOperations,
  epicDiscussionOperations,
  issueDiscussionOperations,
  mergeRequestDiscussionOperations,
  snippetDiscussionOperations,
  discussionShape,
} from '../../../shared/notes/discussions/discussion.operations.js';
import type { CommandsOnly } from '../../../shared/notes/notes/note.entity.js';
import { commandsShape, noteShape } from '../../../shared/notes/notes/note.shape.js';
import type { Context } from '../../../shared/core/context/context.js';
import type { Shape } from '../../../shared/core/operations/shape.js';
import { del, get, post, put, routes } from '../../core/routes.js';

/** A thread or a note that was written; a comment of commands alone leaves none: 202 with what they did. */
function written<T extends { discussion_id: string }>(shape: Shape<T>) {
  const isKept = (result: T | CommandsOnly): result is T => 'discussion_id' in result;
  return {
    present: (_ctx: Context, result?: T | CommandsOnly) =>
      (result && !isKept(result) ? commandsShape : shape) as Shape<T | CommandsOnly>,
    status: (result: T | CommandsOnly) => (isKept(result) ? 201 : 202),
  };
}

const ONE = '/:discussion_id';
const NOTE = `${ONE}/notes/:note_id`;

/** Rows 1 to 8 of discussions-and-notes.md section 1. */
const discussionsAt = (path: string, operations: typeof issueDiscussionOperations) =>
  routes(path, [
    get('/', operations.list, { present: discussionShape, paginate: 'offset' }),
    post('/', operations.create, written(discussionShape)),
    get(ONE, operations.get, { present: discussionShape }),
    get(`${ONE}/notes`, operations.listNotes, { present: noteShape, paginate: 'none' }),
    post(`${ONE}/notes`, operations.reply, written(noteShape)),
    get(NOTE, operations.getNote, { present: noteShape }),
    put(NOTE, operations.updateNote, { present: noteShape }),
    del(NOTE, operations.removeNote, { status: 204 }),
  ]);

const MERGE_REQUESTS = '/projects/:id/merge_requests/:merge_request_iid/discussions';
const ISSUES = '/projects/:id/issues/:issue_iid/discussions';

export default [
  ...discussionsAt(ISSUES, issueDiscussionOperations),
  put(`${ISSUES}${ONE}`, issueDiscussionOperations.resolve, { present: discussionShape }),
  ...discussionsAt(MERGE_REQUESTS, mergeRequestDiscussionOperations),
  put(`${MERGE_REQUESTS}${ONE}`, mergeRequestDiscussionOperations.resolve, { present: discussionShape }),
  ...discussionsAt('/groups/:id/epics/:epic_id/discussions', epicDiscussionOperations),
  ...discussionsAt('/projects/:id/snippets/:snippet_id/discussions', snippetDiscussionOperations),
  ...discussionsAt('/projects/:id/repository/commits/:sha/discussions', commitDiscussionOperations),
];
