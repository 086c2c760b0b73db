import {
  epicNoteAwardOperations,
  issueNoteAwardOperations,
  mergeRequestNoteAwardOperations,
  snippetNoteAwardOperations,
} from '../../../shared/notes/note-awards/awardable-note.js';
import { awardShape as award } from '../../../shared/planning/award-emoji/award-emoji.operations.js';
import { del, get, post, routes } from '../../core/routes.js';

const awardsAt = (path: string, { list, get: read, award: give, takeBack }: typeof issueNoteAwardOperations) =>
  routes(`${path}/notes/:note_id/award_emoji`, [
    get('/', list, { present: award, paginate: 'offset' }),
    post('/', give, { present: award, status: 201 }),
    get('/:award_id', read, { present: award }),
    del('/:award_id', takeBack, { status: 204 }),
  ]);

export default [
  ...awardsAt('/projects/:id/issues/:issue_iid', issueNoteAwardOperations),
  ...awardsAt('/projects/:id/merge_requests/:merge_request_iid', mergeRequestNoteAwardOperations),
  ...awardsAt('/projects/:id/snippets/:snippet_id', snippetNoteAwardOperations),
  ...awardsAt('/groups/:id/epics/:epic_iid', epicNoteAwardOperations),
];
