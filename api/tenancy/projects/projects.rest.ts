import { createProject, createProjectForUser } from '../../../shared/repositories/project-lifecycle/create-project.js';
import { getProject } from '../../../shared/tenancy/projects/project.operations.js';
import { resetRunnersToken } from '../../../shared/repositories/project-lifecycle/reset-runners-token.js';
import { updateProject } from '../../../shared/repositories/project-lifecycle/update-project.js';
import { avatarUploadLimit } from '../../../shared/instance/avatars/avatars.js';
import { downloadProjectAvatar } from '../../../shared/tenancy/projects/project-avatar.js';
import { anonymousProject, fullProject, projectWithPermissions } from '../../../shared/tenancy/projects/project.shape.js';
import { getProjectLanguages } from '../../../shared/tenancy/projects/project-languages.js';
import type { Context } from '../../../shared/core/context.js';
import { sendPicture } from '../../core/respond.js';
import { get, post, put, routes } from '../../core/routes.js';

/** Anonymous callers get the basic record, and where it came from (projects.md section 4). */
const byCaller = (ctx: Context) => (ctx.caller.anonymous ? anonymousProject : projectWithPermissions);

export default routes('/projects', [
  post('/', createProject, { present: fullProject, status: 201, uploadLimit: avatarUploadLimit }),
  post('/user/:user_id', createProjectForUser, { present: fullProject, status: 201, uploadLimit: avatarUploadLimit }),
  get('/:id', getProject, { present: byCaller }),
  get('/:id/avatar', downloadProjectAvatar, { respond: sendPicture }),
  get('/:id/languages', getProjectLanguages, {
    schema: { type: 'object', additionalProperties: { type: 'number' } },
  }),
  post('/:id/runners/reset_registration_token', resetRunnersToken, {
    status: 201,
    schema: {
      type: 'object',
      properties: { token: { type: 'string' }, token_expires_at: { type: 'null' } },
      required: ['token', 'token_expires_at'],
    },
  }),
  put('/:id', updateProject, { present: fullProject, uploadLimit: avatarUploadLimit }),
]);
