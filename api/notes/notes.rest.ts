import {
  commitDiscussionOperations,
  epicDiscussionOperations,
  issueDiscussionOperations,
  mergeRequestDiscussionOperations,
  snippetDiscussionOperations,
  discussionSerializer,
} from '../../shared/notes/discussions/discussion.operations.js';
import type { CommandsOnly } from '../../shared/notes/notes/note.entity.js';
import { commandsSerializer, noteSerializer } from '../../shared/notes/notes/note.serializer.js';
import type { Context } from '../../shared/core/context/context.js';
import type { Serializer } from '../../shared/core/operations/serializer.js';
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
import { awardSerializer } from '../../shared/planning/award-emoji/award-emoji.operations.js';
import { applySuggestion, applySuggestionsTogether } from '../../shared/notes/suggestions/suggestion.operations.js';
import { suggestionSerializer } from '../../shared/notes/notes/suggestion.serializer.js';
import {
  commitComment,
  createCommitComment,
  listCommitComments,
} from '../../shared/notes/commit-comments/commit-comment.operations.js';
import {
  createEpicToDo,
  createIssueToDo,
  createMergeRequestToDo,
  listToDos,
  markToDoDone,
  markToDosDone,
} from '../../shared/notes/to-dos/to-do.operations.js';
import { toDoSerializer } from '../../shared/notes/to-dos/to-do.serializer.js';
import { listEvents, listProjectEvents, listUserEvents } from '../../shared/notes/events/event.operations.js';
import { eventSerializer } from '../../shared/notes/events/event.serializer.js';

/** A thread or a note that was written; a comment of commands alone leaves none: 202 with what they did. */
function written<T extends { discussion_id: string }>(serializer: Serializer<T>) {
  const isRecord = (result: T | CommandsOnly): result is T => 'discussion_id' in result;
  return {
    present: (_ctx: Context, result?: T | CommandsOnly) =>
      (result && !isRecord(result) ? commandsSerializer : serializer) as Serializer<T | CommandsOnly>,
    status: (result: T | CommandsOnly) => (isRecord(result) ? 201 : 202),
  };
}

const ONE = '/:discussion_id';
const NOTE = `${ONE}/notes/:note_id`;

/** Rows 1 to 8 of discussions-and-notes.md section 1. */
const discussionsAt = (path: string, operations: typeof issueDiscussionOperations) =>
  routes(path, [
    get('/', operations.list, { present: discussionSerializer, paginate: 'offset' }),
    post('/', operations.create, written(discussionSerializer)),
    get(ONE, operations.get, { present: discussionSerializer }),
    get(`${ONE}/notes`, operations.listNotes, { present: noteSerializer, paginate: 'none' }),
    post(`${ONE}/notes`, operations.reply, written(noteSerializer)),
    get(NOTE, operations.getNote, { present: noteSerializer }),
    put(NOTE, operations.updateNote, { present: noteSerializer }),
    del(NOTE, operations.removeNote, { status: 204 }),
  ]);

const MERGE_REQUESTS = '/projects/:id/merge_requests/:merge_request_iid/discussions';
const ISSUES = '/projects/:id/issues/:issue_iid/discussions';

export const discussionRoutes = [
  ...discussionsAt(ISSUES, issueDiscussionOperations),
  put(`${ISSUES}${ONE}`, issueDiscussionOperations.resolve, { present: discussionSerializer }),
  ...discussionsAt(MERGE_REQUESTS, mergeRequestDiscussionOperations),
  put(`${MERGE_REQUESTS}${ONE}`, mergeRequestDiscussionOperations.resolve, { present: discussionSerializer }),
  ...discussionsAt('/groups/:id/epics/:epic_id/discussions', epicDiscussionOperations),
  ...discussionsAt('/projects/:id/snippets/:snippet_id/discussions', snippetDiscussionOperations),
  ...discussionsAt('/projects/:id/repository/commits/:sha/discussions', commitDiscussionOperations),
];

const notesAt = (path: string, { list, get: read, create, update, remove }: typeof issueNoteOperations) =>
  routes(path, [
    get('/', list, { present: noteSerializer, paginate: 'offset' }),
    post('/', create, written(noteSerializer)),
    get('/:note_id', read, { present: noteSerializer }),
    put('/:note_id', update, { present: noteSerializer }),
    del('/:note_id', remove, { status: 204 }),
  ]);

export const noteRoutes = [
  ...notesAt('/projects/:id/issues/:issue_iid/notes', issueNoteOperations),
  ...notesAt('/projects/:id/merge_requests/:merge_request_iid/notes', mergeRequestNoteOperations),
  ...notesAt('/groups/:id/epics/:epic_id/notes', epicNoteOperations),
  ...notesAt('/projects/:id/snippets/:snippet_id/notes', snippetNoteOperations),
];

const awardsAt = (path: string, { list, get: read, award: give, takeBack }: typeof issueNoteAwardOperations) =>
  routes(`${path}/notes/:note_id/award_emoji`, [
    get('/', list, { present: awardSerializer, paginate: 'offset' }),
    post('/', give, { present: awardSerializer, status: 201 }),
    get('/:award_id', read, { present: awardSerializer }),
    del('/:award_id', takeBack, { status: 204 }),
  ]);

export const noteAwardRoutes = [
  ...awardsAt('/projects/:id/issues/:issue_iid', issueNoteAwardOperations),
  ...awardsAt('/projects/:id/merge_requests/:merge_request_iid', mergeRequestNoteAwardOperations),
  ...awardsAt('/projects/:id/snippets/:snippet_id', snippetNoteAwardOperations),
  ...awardsAt('/groups/:id/epics/:epic_iid', epicNoteAwardOperations),
];

export const suggestionRoutes = routes('/suggestions', [
  put('/batch_apply', applySuggestionsTogether, { present: suggestionSerializer, paginate: 'none' }),
  put('/:id/apply', applySuggestion, { present: suggestionSerializer }),
]);

export const commitCommentRoutes = routes('/projects/:id/repository/commits/:sha/comments', [
  get('/', listCommitComments, { present: commitComment, paginate: 'offset' }),
  post('/', createCommitComment, { present: commitComment, status: 201 }),
]);

export const toDoRoutes = [
  ...routes('/projects/:id', [
    post('/issues/:issue_iid/todo', createIssueToDo, { present: toDoSerializer, status: 201 }),
    post('/merge_requests/:merge_request_iid/todo', createMergeRequestToDo, { present: toDoSerializer, status: 201 }),
  ]),
  post('/groups/:id/epics/:epic_iid/todo', createEpicToDo, { present: toDoSerializer, status: 201 }),
  ...routes('/todos', [
    get('', listToDos, { present: toDoSerializer, paginate: 'offset' }),
    post('/mark_as_done', markToDosDone, { status: 204 }),
    post('/:id/mark_as_done', markToDoDone, { present: toDoSerializer, status: 201 }),
  ]),
];

const listed = { present: eventSerializer, paginate: 'offset' } as const;

export const eventRoutes = [
  get('/events', listEvents, listed),
  get('/users/:id/events', listUserEvents, listed),
  get('/projects/:id/events', listProjectEvents, listed),
];
