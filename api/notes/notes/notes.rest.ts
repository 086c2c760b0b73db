import {
  epicNoteOperations,
  issueNoteOperations,
  mergeRequestNoteOperations,
  snippetNoteOperations,
} from '../../../shared/notes/notes/note.operations.js';
import { commandsShape, noteShape } from '../../../shared/notes/notes/note.shape.js';
import type { CommandsOnly, NoteRecord } from '../../../shared/notes/notes/note.entity.js';
import type { Context } from '../../../shared/core/context/context.js';
import type { Shape } from '../../../shared/core/operations/shape.js';
import { del, get, post, put, routes } from '../../core/routes.js';

const isNote = (result: NoteRecord | CommandsOnly): result is NoteRecord => 'discussion_id' in result;

/** A comment of commands alone leaves no note: 202 with what they did. */
const written = {
  present: (_ctx: Context, result?: NoteRecord | CommandsOnly) =>
    (result && !isNote(result) ? commandsShape : noteShape) as Shape<NoteRecord | CommandsOnly>,
  status: (result: NoteRecord | CommandsOnly) => (isNote(result) ? 201 : 202),
};

const notesAt = (path: string, { list, get: read, create, update, remove }: typeof issueNoteOperations) =>
  routes(path, [
    get('/', list, { present: noteShape, paginate: 'offset' }),
    post('/', create, written),
    get('/:note_id', read, { present: noteShape }),
    put('/:note_id', update, { present: noteShape }),
    del('/:note_id', remove, { status: 204 }),
  ]);

export default [
  ...notesAt('/projects/:id/issues/:issue_iid/notes', issueNoteOperations),
  ...notesAt('/projects/:id/merge_requests/:merge_request_iid/notes', mergeRequestNoteOperations),
  ...notesAt('/groups/:id/epics/:epic_id/notes', epicNoteOperations),
  ...notesAt('/projects/:id/snippets/:snippet_id/notes', snippetNoteOperations),
];
