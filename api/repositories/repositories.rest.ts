import { branchShape, tagShape } from '../../shared/repositories/branch.shape.js';
import {
  createBranch,
  createTag,
  getBranch,
  getTag,
  listBranches,
  listTags,
} from '../../shared/repositories/ref.operations.js';
import { get, post, routes } from '../core/routes.js';

export default routes('/projects/:id/repository', [
  get('/branches', listBranches, { present: branchShape, paginate: 'offset' }),
  post('/branches', createBranch, { present: branchShape, status: 201 }),
  get('/branches/:branch', getBranch, { present: branchShape }),
  get('/tags', listTags, { present: tagShape, paginate: 'offset' }),
  post('/tags', createTag, { present: tagShape, status: 201 }),
  get('/tags/:tag_name', getTag, { present: tagShape }),
]);
