import { getCommit, listCommits, listRefsOfCommit } from '../../shared/commits/commit.operations.js';
import { commitDetails, commitRefShape, listedCommit } from '../../shared/commits/commit.shape.js';
import { createCommit } from '../../shared/commits/create-commit.js';
import { get, post, routes } from '../core/routes.js';

export default routes('/projects/:id/repository/commits', [
  get('/', listCommits, { present: listedCommit, paginate: 'offset' }),
  post('/', createCommit, { present: commitDetails, status: 201 }),
  get('/:sha', getCommit, { present: commitDetails }),
  get('/:sha/refs', listRefsOfCommit, { present: commitRefShape, paginate: 'offset' }),
]);
