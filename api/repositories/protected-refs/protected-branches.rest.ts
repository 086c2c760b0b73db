import { updateProtectedBranch } from '../../../shared/repositories/protected-refs/edit-protected-branch.js';
import {
  createProtectedBranch,
  deleteProtectedBranch,
  getProtectedBranch,
  listProtectedBranches,
} from '../../../shared/repositories/protected-refs/protected-branch.operations.js';
import { protectedBranchShape } from '../../../shared/repositories/protected-refs/protected-ref.shape.js';
import { del, get, patch, post, routes } from '../../core/routes.js';

export default routes('/projects/:id/protected_branches', [
  get('/', listProtectedBranches, { present: protectedBranchShape, paginate: 'offset' }),
  post('/', createProtectedBranch, { present: protectedBranchShape, status: 201 }),
  get('/:name', getProtectedBranch, { present: protectedBranchShape }),
  patch('/:name', updateProtectedBranch, { present: protectedBranchShape }),
  del('/:name', deleteProtectedBranch, { status: 204 }),
]);
