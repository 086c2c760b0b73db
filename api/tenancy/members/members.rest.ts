import { memberOperations } from '../../../shared/tenancy/members/member.operations.js';
import { addedMembers, memberShape } from '../../../shared/tenancy/members/member.shape.js';
import { containerRoutes } from '../../core/container-routes.js';
import { del, get, post, put } from '../../core/routes.js';

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
