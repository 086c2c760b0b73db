import { listDiffsOfCommit, listMergeRequestsOfCommit } from '../../../shared/repositories/commits/commit-changes.js';
import { getCommit, listCommits, listRefsOfCommit } from '../../../shared/repositories/commits/commit.operations.js';
import { commitDetails, commitRefShape, listedCommit } from '../../../shared/repositories/commits/commit.shape.js';
import { createCommit } from '../../../shared/repositories/commits/create-commit.js';
import { fileDiffShape, mergeRequestOfCommit } from '../../../shared/repositories/commits/commit-changes.shape.js';
import { get, post, routes } from '../../core/routes.js';

export default routes('/projects/:id/repository/commits', [
  get('/', listCommits, { present: listedCommit, paginate: 'offset' }),
  post('/', createCommit, { present: commitDetails, status: 201 }),
  get('/:sha', getCommit, { present: commitDetails }),
  get('/:sha/diff', listDiffsOfCommit, { present: fileDiffShape, paginate: 'offset' }),
  get('/:sha/merge_requests', listMergeRequestsOfCommit, { present: mergeRequestOfCommit, paginate: 'offset' }),
  get('/:sha/refs', listRefsOfCommit, { present: commitRefShape, paginate: 'offset' }),
]);
