import {
  getCommitSequence,
  getCommitSignature,
  listDiffsOfCommit,
} from '../../../shared/repositories/commits/commit-changes.js';
import { getCommit, listCommits, listRefsOfCommit } from '../../../shared/repositories/commits/commit.operations.js';
import {
  commitDetails,
  commitRefShape,
  listedCommit,
  commitSequence,
  commitSignature,
  fileDiffShape,
  dryRunShape,
} from '../../../shared/repositories/commits/commit.shape.js';
import { createCommit } from '../../../shared/repositories/commits/create-commit.js';
import { cherryPickCommit, revertCommit } from '../../../shared/repositories/commits/pick-commit.js';
import type { PickResult } from '../../../shared/repositories/commits/pick-commit.js';
import { commitShape } from '../../../shared/repositories/branches-and-tags/branch.shape.js';
import type { Context } from '../../../shared/core/context/context.js';
import type { Shape } from '../../../shared/core/operations/shape.js';
import { get, post, routes } from '../../core/routes.js';
import {
  compareRefs,
  getMergeBase,
  listContributors,
} from '../../../shared/repositories/commits/comparison.operations.js';
import { comparisonShape, contributorShape } from '../../../shared/repositories/commits/comparison.shape.js';

/** A dry run answers that it went well, all else the new commit. */
const picked = {
  present: (_ctx: Context, result?: PickResult) =>
    (result && 'dry_run' in result ? dryRunShape : commitShape) as Shape<PickResult>,
  shapes: [dryRunShape, commitShape] as Shape<PickResult>[],
  status: (result: PickResult) => ('dry_run' in result ? 200 : 201),
};

export default routes('/projects/:id/repository/commits', [
  get('/', listCommits, { present: listedCommit, paginate: 'offset' }),
  post('/', createCommit, { present: commitDetails, status: 201 }),
  get('/:sha', getCommit, { present: commitDetails }),
  get('/:sha/diff', listDiffsOfCommit, { present: fileDiffShape, paginate: 'offset' }),
  get('/:sha/sequence', getCommitSequence, { present: commitSequence }),
  get('/:sha/signature', getCommitSignature, { present: commitSignature }),
  post('/:sha/cherry_pick', cherryPickCommit, picked),
  post('/:sha/revert', revertCommit, picked),
  get('/:sha/refs', listRefsOfCommit, { present: commitRefShape, paginate: 'offset' }),
]);

const comparisonRoutes = routes('/projects/:id/repository', [
  get('/compare', compareRefs, { present: comparisonShape }),
  get('/merge_base', getMergeBase, { present: commitShape }),
  get('/contributors', listContributors, { present: contributorShape, paginate: 'offset' }),
]);
