import {
  listCommitStatuses,
  setCommitStatus,
  commitStatusShape,
} from '../../../shared/ci/commit-statuses/commit-status.operations.js';
import { get, post, routes } from '../../core/routes.js';

export default routes('/projects/:id', [
  get('/repository/commits/:sha/statuses', listCommitStatuses, { present: commitStatusShape, paginate: 'offset' }),
  post('/statuses/:sha', setCommitStatus, { present: commitStatusShape, status: 201 }),
]);
