import { issueNoteAwardOperations } from '../../../shared/notes/note-awards/awardable-note.js';
import { awardShape as award } from '../../../shared/planning/award-emoji/award-emoji.shape.js';
import { del, get, post, routes } from '../../core/routes.js';

const { list, get: read, award: give, takeBack } = issueNoteAwardOperations;

export default routes('/projects/:id/issues/:issue_iid/notes/:note_id/award_emoji', [
  get('/', list, { present: award, paginate: 'offset' }),
  post('/', give, { present: award, status: 201 }),
  get('/:award_id', read, { present: award }),
  del('/:award_id', takeBack, { status: 204 }),
]);
