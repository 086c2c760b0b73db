import { createProject, createProjectForUser } from '../../shared/projects/create-project.js';
import { getProject } from '../../shared/projects/project.operations.js';
import { updateProject } from '../../shared/projects/update-project.js';
import { avatarUploadLimit } from '../../shared/avatars/avatars.js';
import { basicProject, fullProject } from '../../shared/projects/project.shape.js';
import type { Context } from '../../shared/core/context.js';
import { get, post, put, routes } from '../core/routes.js';

/** Anonymous callers get the basic record (projects.md section 4). */
const byCaller = (ctx: Context) => (ctx.caller.anonymous ? basicProject : fullProject);

export default routes('/projects', [
  post('/', createProject, { present: fullProject, status: 201, uploadLimit: avatarUploadLimit }),
  post('/user/:user_id', createProjectForUser, { present: fullProject, status: 201, uploadLimit: avatarUploadLimit }),
  get('/:id', getProject, { present: byCaller }),
  put('/:id', updateProject, { present: fullProject, uploadLimit: avatarUploadLimit }),
]);
