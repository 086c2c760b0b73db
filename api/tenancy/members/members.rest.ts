import { groupMemberOperations, projectMemberOperations } from '../../../shared/tenancy/members/member.operations.js';
import { addedMembers, memberShape } from '../../../shared/tenancy/members/member.shape.js';
import { del, get, post, put, routes } from '../../core/routes.js';

const bound = ({ list, listAll, get: getOne, getAll, add, update, remove }: typeof projectMemberOperations) => [
  get('/', list, { present: memberShape, paginate: 'offset' }),
  get('/all', listAll, { present: memberShape, paginate: 'offset' }),
  get('/all/:user_id', getAll, { present: memberShape }),
  get('/:user_id', getOne, { present: memberShape }),
  post('/', add, { present: addedMembers, status: 201 }),
  put('/:user_id', update, { present: memberShape }),
  del('/:user_id', remove, { status: 204 }),
];

export default [
  ...routes('/projects/:id/members', bound(projectMemberOperations)),
  ...routes('/groups/:id/members', bound(groupMemberOperations)),
];
