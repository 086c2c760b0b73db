import { getProject } from '../../../shared/tenancy/project-details/project.operations.js';
import { downloadContainerAvatar } from '../../../shared/tenancy/containers/container.operations.js';
import { anonymousProject, projectWithPermissions } from '../../../shared/tenancy/project-details/project.shape.js';
import { getProjectLanguages } from '../../../shared/tenancy/projects/project-languages.js';
import type { Context } from '../../../shared/core/context/context.js';
import { sendPicture } from '../../core/respond.js';
import { get, routes } from '../../core/routes.js';

/** Anonymous callers get the basic record, and where it came from (projects.md section 4). */
const byCaller = (ctx: Context) => (ctx.caller.anonymous ? anonymousProject : projectWithPermissions);

export default routes('/projects', [
  get('/:id', getProject, { present: byCaller }),
  get('/:id/avatar', downloadContainerAvatar.project, { respond: sendPicture }),
  get('/:id/languages', getProjectLanguages, {
    schema: { type: 'object', additionalProperties: { type: 'number' } },
  }),
]);
