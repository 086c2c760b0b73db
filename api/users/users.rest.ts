import { avatarUploadLimit } from '../../shared/avatars/avatars.js';
import type { Context } from '../../shared/core/context.js';
import type { OutField } from '../../shared/core/shape.js';
import { shape } from '../../shared/core/shape.js';
import { blockUser, unblockUser } from '../../shared/users/block-user.js';
import { changeOwnAvatar } from '../../shared/users/change-own-avatar.js';
import { updateUser } from '../../shared/users/update-user.js';
import type { UserRecord } from '../../shared/users/user.finder.js';
import { createUser, getCurrentUser, getUser, listUsers } from '../../shared/users/user.operations.js';
import { currentUserShape, userShape, userSummary } from '../../shared/users/user.shape.js';
import { get, post, put, routes } from '../core/routes.js';

/** Lists show administrators everything, others who is there. */
const listed = (ctx: Context) => (ctx.caller.admin ? userShape : userSummary);

/** The answer to changing one's own picture. */
const ownAvatar = shape<UserRecord>('OwnAvatar', { avatar_url: userSummary.fields.avatar_url as OutField<UserRecord> });

/** True once the state is another; null or false where it was not the one to begin with. */
const CHANGED = { type: ['boolean', 'null'] };

export default routes('', [
  get('/user', getCurrentUser, { present: currentUserShape }),
  put('/user/avatar', changeOwnAvatar, { present: ownAvatar, uploadLimit: avatarUploadLimit }),
  get('/users', listUsers, { present: listed, paginate: 'keyset' }),
  post('/users', createUser, { present: userShape, status: 201, uploadLimit: avatarUploadLimit }),
  get('/users/:id', getUser, { present: userShape }),
  put('/users/:id', updateUser, { present: userShape, uploadLimit: avatarUploadLimit }),
  post('/users/:id/block', blockUser, { schema: CHANGED, status: 201 }),
  post('/users/:id/unblock', unblockUser, { schema: CHANGED, status: 201 }),
]);
