import {
  getProjectMirror,
  updateProjectMirror,
} from '../../../shared/repositories/project-mirrors/project-mirror.operations.js';
import { configureProjectMirror } from '../../../shared/repositories/project-lifecycle/configure-mirror.js';
import {
  projectMirror,
  projectMirrorSettings,
} from '../../../shared/repositories/project-mirrors/project-mirror.shape.js';
import { get, post, put, routes } from '../../core/routes.js';

export default routes('/projects/:id/mirror/pull', [
  get('/', getProjectMirror, { present: projectMirror }),
  put('/', configureProjectMirror, { present: projectMirrorSettings }),
  post('/', updateProjectMirror, { present: projectMirror, status: 200 }),
]);
