import {
  commitComment,
  createCommitComment,
  listCommitComments,
} from '../../../shared/notes/commit-comments/commit-comment.operations.js';
import { get, post, routes } from '../../core/routes.js';

export default routes('/projects/:id/repository/commits/:sha/comments', [
  get('/', listCommitComments, { present: commitComment, paginate: 'offset' }),
  post('/', createCommitComment, { present: commitComment, status: 201 }),
]);
