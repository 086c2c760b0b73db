import {
  commitDiscussionOperations,
  epicDiscussionOperations,
  issueDiscussionOperations,
  mergeRequestDiscussionOperations,
  snippetDiscussionOperations,
  discussionShape,
} from '../../shared/notes/discussions/discussion.operations.js';
import type { CommandsOnly } from '../../shared/notes/notes/note.entity.js';
import { commandsShape, noteShape } from '../../shared/notes/notes/note.shape.js';
import type { Context } from '../../shared/core/context/context.js';
import type { Shape } from '../../shared/core/operations/shape.js';
import { del, get, post, put, routes } from '../core/routes.js';
import {
  epicNoteOperations,
  issueNoteOperations,
  mergeRequestNoteOperations,
  snippetNoteOperations,
} from '../../shared/notes/notes/note.operations.js';
import {
  epicNoteAwardOperations,
  issueNoteAwardOperations,
  mergeRequestNoteAwardOperations,
  snippetNoteAwardOperations,
} from '../../shared/notes/note-awards/awardable-note.js';
import { awardShape } from '../../shared/planning/award-emoji/award-emoji.operations.js';
import { applySuggestion, applySuggestionsTogether } from '../../shared/notes/suggestions/suggestion.operations.js';
import { suggestionShape } from '../../shared/notes/notes/suggestion.shape.js';
import {
  commitComment,
  createCommitComment,
  listCommitComments,
} from '../../shared/notes/commit-comments/commit-comment.operations.js';
import {
  createIssueToDo,
  createMergeRequestToDo,
  listToDos,
  markToDoDone,
  markToDosDone,
} from '../../shared/notes/to-dos/to-do.operations.js';
import { toDoShape } from '../../shared/notes/to-dos/to-do.shape.js';
import { listEvents, listProjectEvents, listUserEvents } from '../../shared/notes/events/event.operations.js';
import { eventShape } from '../../shared/notes/events/event.shape.js';

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

const discussionRoutes = [
  ...discussionsAt(ISSUES, issueDiscussionOperations),
  put(`${ISSUES}${ONE}`, issueDiscussionOperations.resolve, { present: discussionShape }),
  ...discussionsAt(MERGE_REQUESTS, mergeRequestDiscussionOperations),
  put(`${MERGE_REQUESTS}${ONE}`, mergeRequestDiscussionOperations.resolve, { present: discussionShape }),
  ...discussionsAt('/groups/:id/epics/:epic_id/discussions', epicDiscussionOperations),
  ...discussionsAt('/projects/:id/snippets/:snippet_id/discussions', snippetDiscussionOperations),
  ...discussionsAt('/projects/:id/repository/commits/:sha/discussions', commitDiscussionOperations),
];

const notesAt = (path: string, { list, get: read, create, update, remove }: typeof issueNoteOperations) =>
  routes(path, [
    get('/', list, { present: noteShape, paginate: 'offset' }),
    post('/', create, written(noteShape)),
    get('/:note_id', read, { present: noteShape }),
    put('/:note_id', update, { present: noteShape }),
    del('/:note_id', remove, { status: 204 }),
  ]);

const noteRoutes = [
  ...notesAt('/projects/:id/issues/:issue_iid/notes', issueNoteOperations),
  ...notesAt('/projects/:id/merge_requests/:merge_request_iid/notes', mergeRequestNoteOperations),
  ...notesAt('/groups/:id/epics/:epic_id/notes', epicNoteOperations),
  ...notesAt('/projects/:id/snippets/:snippet_id/notes', snippetNoteOperations),
];

const awardsAt = (path: string, { list, get: read, award: give, takeBack }: typeof issueNoteAwardOperations) =>
  routes(`${path}/notes/:note_id/award_emoji`, [
    get('/', list, { present: awardShape, paginate: 'offset' }),
    post('/', give, { present: awardShape, status: 201 }),
    get('/:award_id', read, { present: awardShape }),
    del('/:award_id', takeBack, { status: 204 }),
  ]);

const noteAwardRoutes = [
  ...awardsAt('/projects/:id/issues/:issue_iid', issueNoteAwardOperations),
  ...awardsAt('/projects/:id/merge_requests/:merge_request_iid', mergeRequestNoteAwardOperations),
  ...awardsAt('/projects/:id/snippets/:snippet_id', snippetNoteAwardOperations),
  ...awardsAt('/groups/:id/epics/:epic_iid', epicNoteAwardOperations),
];

const suggestionRoutes = routes('/suggestions', [
  put('/batch_apply', applySuggestionsTogether, { present: suggestionShape, paginate: 'none' }),
  put('/:id/apply', applySuggestion, { present: suggestionShape }),
]);

const commitCommentRoutes = routes('/projects/:id/repository/commits/:sha/comments', [
  get('/', listCommitComments, { present: commitComment, paginate: 'offset' }),
  post('/', createCommitComment, { present: commitComment, status: 201 }),
]);

const toDoRoutes = [
  ...routes('/projects/:id', [
    post('/issues/:issue_iid/todo', createIssueToDo, { present: toDoShape, status: 201 }),
    post('/merge_requests/:merge_request_iid/todo', createMergeRequestToDo, { present: toDoShape, status: 201 }),
  ]),
  ...routes('/todos', [
    get('', listToDos, { present: toDoShape, paginate: 'offset' }),
    post('/mark_as_done', markToDosDone, { status: 204 }),
    post('/:id/mark_as_done', markToDoDone, { present: toDoShape, status: 201 }),
  ]),
];

const listed = { present: eventShape, paginate: 'offset' } as const;

const eventRoutes = [
  get('/events', listEvents, listed),
  get('/users/:id/events', listUserEvents, listed),
  get('/projects/:id/events', listProjectEvents, listed),
];
