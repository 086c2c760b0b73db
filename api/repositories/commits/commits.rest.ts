import {
  getCommitSequence,
  getCommitSignature,
  listDiffsOfCommit,
} from '../../../shared/repositories/commits/commit-changes.js';
import { getCommit, listCommits, listRefsOfCommit } from '../../../shared/repositories/commits/commit.operations.js';
import {
  commitDetails,
  commitRefSerializer,
  listedCommit,
  commitSequence,
  commitSignature,
  fileDiffSerializer,
  dryRunSerializer,
} from '../../../shared/repositories/commits/commit.serializer.js';
import { createCommit } from '../../../shared/repositories/commits/create-commit.js';
import { cherryPickCommit, revertCommit } from '../../../shared/repositories/commits/pick-commit.js';
import type { PickResult } from '../../../shared/repositories/commits/pick-commit.js';
import { commitSerializer } from '../../../shared/repositories/branches-and-tags/branch.serializer.js';
import type { Context } from '../../../shared/core/context/context.js';
import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { get, post, routes } from '../../core/routes.js';
import {
  compareRefs,
  getMergeBase,
  listContributors,
} from '../../../shared/repositories/commits/comparison.operations.js';
import {
  comparisonSerializer,
  contributorSerializer,
} from '../../../shared/repositories/commits/comparison.serializer.js';

/** A dry run answers that it went well, all else the new commit. */
const picked = {
  present: (_ctx: Context, result?: PickResult) =>
    (result && 'dry_run' in result ? dryRunSerializer : commitSerializer) as Serializer<PickResult>,
  serializers: [dryRunSerializer, commitSerializer] as Serializer<PickResult>[],
  status: (result: PickResult) => ('dry_run' in result ? 200 : 201),
};

export default routes('/projects/:id/repository/commits', [
  get('/', listCommits, { present: listedCommit, paginate: 'offset' }),
  post('/', createCommit, { present: commitDetails, status: 201 }),
  get('/:sha', getCommit, { present: commitDetails }),
  get('/:sha/diff', listDiffsOfCommit, { present: fileDiffSerializer, paginate: 'offset' }),
  get('/:sha/sequence', getCommitSequence, { present: commitSequence }),
  get('/:sha/signature', getCommitSignature, { present: commitSignature }),
  post('/:sha/cherry_pick', cherryPickCommit, picked),
  post('/:sha/revert', revertCommit, picked),
  get('/:sha/refs', listRefsOfCommit, { present: commitRefSerializer, paginate: 'offset' }),
]);

export const comparisonRoutes = routes('/projects/:id/repository', [
  get('/compare', compareRefs, { present: comparisonSerializer }),
  get('/merge_base', getMergeBase, { present: commitSerializer }),
  get('/contributors', listContributors, { present: contributorSerializer, paginate: 'offset' }),
]);
