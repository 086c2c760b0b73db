import { memberOperations } from '../../../shared/tenancy/members/member.operations.js';
import { addedMembers, memberShape, projectShareShape } from '../../../shared/tenancy/members/member.shape.js';
import { containerRoutes, del, get, post, put, routes } from '../../core/routes.js';
import { groupDetails, groupShape } from '../../../shared/tenancy/group-details/group.shape.js';
import { share, unshare } from '../../../shared/tenancy/members/share.operations.js';
import { listInvitedGroups, listSharedGroups } from '../../../shared/tenancy/group-details/shared-groups.operations.js';

export default containerRoutes(
  '/members',
  memberOperations,
  ({ list, listAll, get: getOne, getAll, add, update, remove }) => [
    get('/', list, { present: memberShape, paginate: 'offset' }),
    get('/all', listAll, { present: memberShape, paginate: 'offset' }),
    get('/all/:user_id', getAll, { present: memberShape }),
    get('/:user_id', getOne, { present: memberShape }),
    post('/', add, { present: addedMembers, status: 201 }),
    put('/:user_id', update, { present: memberShape }),
    del('/:user_id', remove, { status: 204 }),
  ],
);

const shareRoutes = [
  ...routes('/groups/:id', [
    get('/groups/shared', listSharedGroups, { present: groupShape, paginate: 'offset' }),
    get('/invited_groups', listInvitedGroups, { present: groupShape, paginate: 'offset' }),
  ]),
  post('/groups/:id/share', share.group, { present: groupDetails, status: 201 }),
  post('/projects/:id/share', share.project, { present: projectShareShape, status: 201 }),
  ...containerRoutes('/share', unshare, (end) => [del('/:group_id', end, { status: 204 })]),
];
