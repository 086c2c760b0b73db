import { avatarUploadLimit } from '../../../shared/instance/avatars/avatars.js';
import { createProject, createProjectForUser } from '../../../shared/repositories/project-lifecycle/create-project.js';
import {
  resetRunnersToken,
  runnersTokenShape,
} from '../../../shared/repositories/project-lifecycle/reset-runners-token.js';
import { transferProjectToGroup } from '../../../shared/repositories/project-lifecycle/transfer-project-to-group.js';
import { updateProject } from '../../../shared/repositories/project-lifecycle/update-project.js';
import { groupDetails } from '../../../shared/tenancy/group-details/group.shape.js';
import { fullProject } from '../../../shared/tenancy/project-details/project.shape.js';
import { post, put, routes } from '../../core/routes.js';

export default [
  ...routes('/projects', [
    post('/', createProject, { present: fullProject, status: 201, uploadLimit: avatarUploadLimit }),
    post('/user/:user_id', createProjectForUser, { present: fullProject, status: 201, uploadLimit: avatarUploadLimit }),
    put('/:id', updateProject, { present: fullProject, uploadLimit: avatarUploadLimit }),
    post('/:id/runners/reset_registration_token', resetRunnersToken, {
      status: 201,
      present: runnersTokenShape,
    }),
  ]),
  ...routes('/groups', [
    post('/:id/projects/:project_id', transferProjectToGroup, { present: groupDetails, status: 201 }),
  ]),
];
