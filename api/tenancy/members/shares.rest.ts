import { groupDetails, groupShape } from '../../../shared/tenancy/group-details/group.shape.js';
import { share, unshare } from '../../../shared/tenancy/members/share.operations.js';
import { listInvitedGroups, listSharedGroups } from '../../../shared/tenancy/group-details/shared-groups.operations.js';
import { projectShareShape } from '../../../shared/tenancy/members/member.shape.js';
import { containerRoutes } from '../../core/container-routes.js';
import { del, get, post, routes } from '../../core/routes.js';

export default [
  ...routes('/groups/:id', [
    get('/groups/shared', listSharedGroups, { present: groupShape, paginate: 'offset' }),
    get('/invited_groups', listInvitedGroups, { present: groupShape, paginate: 'offset' }),
  ]),
  post('/groups/:id/share', share.group, { present: groupDetails, status: 201 }),
  post('/projects/:id/share', share.project, { present: projectShareShape, status: 201 }),
  ...containerRoutes('/share', unshare, (end) => [del('/:group_id', end, { status: 204 })]),
];
