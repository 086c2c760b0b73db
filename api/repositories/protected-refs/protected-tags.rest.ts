import {
  createProtectedTag,
  deleteProtectedTag,
  getProtectedTag,
  listProtectedTags,
} from '../../../shared/repositories/protected-refs/protected-tag.operations.js';
import { protectedTagShape } from '../../../shared/repositories/protected-refs/protected-ref.shape.js';
import { del, get, post, routes } from '../../core/routes.js';

export default routes('/projects/:id/protected_tags', [
  get('/', listProtectedTags, { present: protectedTagShape, paginate: 'offset' }),
  post('/', createProtectedTag, { present: protectedTagShape, status: 201 }),
  get('/:name', getProtectedTag, { present: protectedTagShape }),
  del('/:name', deleteProtectedTag, { status: 204 }),
]);
