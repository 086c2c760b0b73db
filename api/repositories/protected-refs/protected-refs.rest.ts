import { updateProtectedBranch } from '../../../shared/repositories/protected-refs/edit-protected-branch.js';
import {
  createProtectedBranch,
  deleteProtectedBranch,
  getProtectedBranch,
  listProtectedBranches,
} from '../../../shared/repositories/protected-refs/protected-branch.operations.js';
import {
  protectedBranchShape,
  protectedTagShape,
} from '../../../shared/repositories/protected-refs/protected-ref.shape.js';
import { del, get, patch, post, routes } from '../../core/routes.js';
import {
  createProtectedTag,
  deleteProtectedTag,
  getProtectedTag,
  listProtectedTags,
} from '../../../shared/repositories/protected-refs/protected-tag.operations.js';

const protectedBranchRoutes = routes('/projects/:id/protected_branches', [
  get('/', listProtectedBranches, { present: protectedBranchShape, paginate: 'offset' }),
  post('/', createProtectedBranch, { present: protectedBranchShape, status: 201 }),
  get('/:name', getProtectedBranch, { present: protectedBranchShape }),
  patch('/:name', updateProtectedBranch, { present: protectedBranchShape }),
  del('/:name', deleteProtectedBranch, { status: 204 }),
]);

const protectedTagRoutes = routes('/projects/:id/protected_tags', [
  get('/', listProtectedTags, { present: protectedTagShape, paginate: 'offset' }),
  post('/', createProtectedTag, { present: protectedTagShape, status: 201 }),
  get('/:name', getProtectedTag, { present: protectedTagShape }),
  del('/:name', deleteProtectedTag, { status: 204 }),
]);
