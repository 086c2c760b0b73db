import {
  getProjectMirror,
  updateProjectMirror,
} from '../../../shared/repositories/project-mirrors/project-mirror.operations.js';
import { projectMirror } from '../../../shared/repositories/project-mirrors/project-mirror.shape.js';
import { get, post, routes } from '../../core/routes.js';

export default routes('/projects/:id/mirror/pull', [
  get('/', getProjectMirror, { present: projectMirror }),
  post('/', updateProjectMirror, { present: projectMirror, status: 200 }),
]);
