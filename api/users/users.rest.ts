import type { Context } from '../../shared/core/context.js';
import { blockUser, unblockUser } from '../../shared/users/block-user.js';
import { updateUser } from '../../shared/users/update-user.js';
import { createUser, getCurrentUser, getUser, listUsers } from '../../shared/users/user.operations.js';
import { currentUserShape, userShape, userSummary } from '../../shared/users/user.shape.js';
import { get, post, put, routes } from '../core/routes.js';

/** Lists show administrators everything, others who is there. */
const listed = (ctx: Context) => (ctx.caller.admin ? userShape : userSummary);

/** True once the state is another; null or false where it was not the one to begin with. */
const CHANGED = { type: ['boolean', 'null'] };

export default routes('', [
  get('/user', getCurrentUser, { present: currentUserShape }),
  get('/users', listUsers, { present: listed, paginate: 'keyset' }),
  post('/users', createUser, { present: userShape, status: 201 }),
  get('/users/:id', getUser, { present: userShape }),
  put('/users/:id', updateUser, { present: userShape }),
  post('/users/:id/block', blockUser, { schema: CHANGED, status: 201 }),
  post('/users/:id/unblock', unblockUser, { schema: CHANGED, status: 201 }),
]);
