import { listProjectUsers } from '../../../shared/tenancy/members/project-users.operations.js';
import { listProjectGroups } from '../../../shared/tenancy/group-details/project-groups.operations.js';
import { projectGroupShape } from '../../../shared/tenancy/group-details/group.shape.js';
import { userSummary } from '../../../shared/tenancy/users/user.shape.js';
import { get, routes } from '../../core/routes.js';

/** Who belongs to a project. */
export default routes('/projects/:id', [
  get('/users', listProjectUsers, { present: userSummary, paginate: 'offset' }),
  get('/groups', listProjectGroups, { present: projectGroupShape, paginate: 'offset' }),
]);
