import { groupDetails, groupShape } from '../../../shared/tenancy/groups/group.shape.js';
import {
  shareGroup,
  shareProject,
  unshareGroup,
  unshareProject,
} from '../../../shared/tenancy/shares/share.operations.js';
import { listInvitedGroups, listSharedGroups } from '../../../shared/tenancy/shares/shared-groups.operations.js';
import { projectShareShape } from '../../../shared/tenancy/shares/share.shape.js';
import { del, get, post, routes } from '../../core/routes.js';

export default [
  ...routes('/groups/:id', [
    get('/groups/shared', listSharedGroups, { present: groupShape, paginate: 'offset' }),
    get('/invited_groups', listInvitedGroups, { present: groupShape, paginate: 'offset' }),
  ]),
  ...routes('/groups/:id/share', [
    post('/', shareGroup, { present: groupDetails, status: 201 }),
    del('/:group_id', unshareGroup, { status: 204 }),
  ]),
  ...routes('/projects/:id/share', [
    post('/', shareProject, { present: projectShareShape, status: 201 }),
    del('/:group_id', unshareProject, { status: 204 }),
  ]),
];
