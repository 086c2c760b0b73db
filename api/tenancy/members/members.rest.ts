import { memberOperations } from '../../../shared/tenancy/members/member.operations.js';
import {
  addedMembers,
  memberSerializer,
  projectShareSerializer,
} from '../../../shared/tenancy/members/member.serializer.js';
import { containerRoutes, del, get, post, put, routes } from '../../core/routes.js';
import { groupDetails, groupSerializer } from '../../../shared/tenancy/group-details/group.serializer.js';
import { share, unshare } from '../../../shared/tenancy/members/share.operations.js';
import { listInvitedGroups, listSharedGroups } from '../../../shared/tenancy/group-details/shared-groups.operations.js';

export default containerRoutes(
  '/members',
  memberOperations,
  ({ list, listAll, get: getOne, getAll, add, update, remove }) => [
    get('/', list, { present: memberSerializer, paginate: 'offset' }),
    get('/all', listAll, { present: memberSerializer, paginate: 'offset' }),
    get('/all/:user_id', getAll, { present: memberSerializer }),
    get('/:user_id', getOne, { present: memberSerializer }),
    post('/', add, { present: addedMembers, status: 201 }),
    put('/:user_id', update, { present: memberSerializer }),
    del('/:user_id', remove, { status: 204 }),
  ],
);

export const shareRoutes = [
  ...routes('/groups/:id', [
    get('/groups/shared', listSharedGroups, { present: groupSerializer, paginate: 'offset' }),
    get('/invited_groups', listInvitedGroups, { present: groupSerializer, paginate: 'offset' }),
  ]),
  post('/groups/:id/share', share.group, { present: groupDetails, status: 201 }),
  post('/projects/:id/share', share.project, { present: projectShareSerializer, status: 201 }),
  ...containerRoutes('/share', unshare, (end) => [del('/:group_id', end, { status: 204 })]),
];
