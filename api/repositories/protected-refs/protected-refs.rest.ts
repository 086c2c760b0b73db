import { updateProtectedBranch } from '../../../shared/repositories/protected-refs/edit-protected-branch.js';
import {
  createProtectedBranch,
  deleteProtectedBranch,
  getProtectedBranch,
  listProtectedBranches,
} from '../../../shared/repositories/protected-refs/protected-branch.operations.js';
import {
  protectedBranchSerializer,
  protectedTagSerializer,
} from '../../../shared/repositories/protected-refs/protected-ref.serializer.js';
import { del, get, patch, post, routes } from '../../core/routes.js';
import {
  createProtectedTag,
  deleteProtectedTag,
  getProtectedTag,
  listProtectedTags,
} from '../../../shared/repositories/protected-refs/protected-tag.operations.js';

export const protectedBranchRoutes = routes('/projects/:id/protected_branches', [
  get('/', listProtectedBranches, { present: protectedBranchSerializer, paginate: 'offset' }),
  post('/', createProtectedBranch, { present: protectedBranchSerializer, status: 201 }),
  get('/:name', getProtectedBranch, { present: protectedBranchSerializer }),
  patch('/:name', updateProtectedBranch, { present: protectedBranchSerializer }),
  del('/:name', deleteProtectedBranch, { status: 204 }),
]);

export const protectedTagRoutes = routes('/projects/:id/protected_tags', [
  get('/', listProtectedTags, { present: protectedTagSerializer, paginate: 'offset' }),
  post('/', createProtectedTag, { present: protectedTagSerializer, status: 201 }),
  get('/:name', getProtectedTag, { present: protectedTagSerializer }),
  del('/:name', deleteProtectedTag, { status: 204 }),
]);
