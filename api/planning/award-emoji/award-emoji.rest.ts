import { issueAwardOperations } from '../../../shared/planning/award-emoji/award-emoji.operations.js';
import { awardShape as award } from '../../../shared/planning/award-emoji/award-emoji.shape.js';
import { del, get, post, routes } from '../../core/routes.js';

const { list, get: read, award: give, takeBack } = issueAwardOperations;

export default routes('/projects/:id/issues/:issue_iid/award_emoji', [
  get('/', list, { present: award, paginate: 'offset' }),
  post('/', give, { present: award, status: 201 }),
  get('/:award_id', read, { present: award }),
  del('/:award_id', takeBack, { status: 204 }),
]);
