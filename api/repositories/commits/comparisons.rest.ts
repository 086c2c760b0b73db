import { commitShape } from '../../../shared/repositories/branches-and-tags/branch.shape.js';
import {
  compareRefs,
  getMergeBase,
  listContributors,
} from '../../../shared/repositories/commits/comparison.operations.js';
import { comparisonShape, contributorShape } from '../../../shared/repositories/commits/comparison.shape.js';
import { get, routes } from '../../core/routes.js';

export default routes('/projects/:id/repository', [
  get('/compare', compareRefs, { present: comparisonShape }),
  get('/merge_base', getMergeBase, { present: commitShape }),
  get('/contributors', listContributors, { present: contributorShape, paginate: 'offset' }),
]);
