import type { UserRecord } from '../../../shared/tenancy/users/user.entity.js';
import { avatarUploadLimit } from '../../../shared/instance/avatars/avatars.js';
import type { Context } from '../../../shared/core/context/context.js';
import { out, serializer } from '../../../shared/core/operations/serializer.js';
import { changeOwnAvatar } from '../../../shared/tenancy/users/change-own-avatar.js';
import { deleteUser } from '../../../shared/tenancy/users/delete-user.js';
import { followUser, listFollowers, listFollowing, unfollowUser } from '../../../shared/tenancy/users/follow-user.js';
import { deleteIdentity } from '../../../shared/tenancy/users/identities.js';
import { listMemberships, membershipSerializer } from '../../../shared/tenancy/users/memberships.js';
import { approveUser, rejectUser } from '../../../shared/tenancy/users/review-user.js';
import { updateUser } from '../../../shared/tenancy/users/update-user.js';
import { createUser, getCurrentUser, getUser, listUsers } from '../../../shared/tenancy/users/user.operations.js';
import { currentUserSerializer, userSerializer, userSummary } from '../../../shared/tenancy/users/user.serializer.js';
import {
  activateUser,
  banUser,
  blockUser,
  deactivateUser,
  unbanUser,
  unblockUser,
} from '../../../shared/tenancy/users/user-states.js';
import {
  changeOwnStatus,
  getOwnStatus,
  getUserStatus,
  replaceOwnStatus,
  userStatusSerializer,
} from '../../../shared/tenancy/users/user-status.js';
import { del, get, patch, post, put, routes, containerRoutes } from '../../core/routes.js';
import {
  containerNotificationSettings,
  getNotificationSettings,
  updateNotificationSettings,
} from '../../../shared/tenancy/users/notification-setting.operations.js';
import {
  globalNotificationSettingSerializer as everywhere,
  notificationSettingSerializer as present,
} from '../../../shared/tenancy/users/notification-setting.serializer.js';

/** Administrators see the full records in lists, other callers the summaries. */
const listed = (ctx: Context) => (ctx.caller.admin ? userSerializer : userSummary);

/** The answer to changing one's own picture. */
const ownAvatar = serializer<UserRecord>('OwnAvatar', {
  avatar_url: out.nullableText((user, ctx) => userSummary.fields.avatar_url?.get(user, ctx) as string | null),
});

/** True if the state changed; null or false if the user was not in the expected state. */
const CHANGED = { schema: { type: ['boolean', 'null'] }, status: 201 };
const REVIEWED = {
  schema: { type: 'object', properties: { message: { type: 'string' }, status: { type: 'string' } } },
  status: 201,
};
/** Routes for users whose parameters include an avatar. */
const pictured = { present: userSerializer, uploadLimit: avatarUploadLimit };

export default routes('', [
  get('/user', getCurrentUser, { present: currentUserSerializer }),
  put('/user/avatar', changeOwnAvatar, { present: ownAvatar, uploadLimit: avatarUploadLimit }),
  get('/user/status', getOwnStatus, { present: userStatusSerializer }),
  put('/user/status', replaceOwnStatus, { present: userStatusSerializer }),
  patch('/user/status', changeOwnStatus, { present: userStatusSerializer }),
  get('/users', listUsers, { present: listed, paginate: 'keyset' }),
  post('/users', createUser, { ...pictured, status: 201 }),
  get('/users/:id', getUser, { present: userSerializer }),
  put('/users/:id', updateUser, pictured),
  del('/users/:id', deleteUser, { status: 204 }),
  post('/users/:id/block', blockUser, CHANGED),
  post('/users/:id/unblock', unblockUser, CHANGED),
  post('/users/:id/activate', activateUser, CHANGED),
  post('/users/:id/deactivate', deactivateUser, CHANGED),
  post('/users/:id/ban', banUser, CHANGED),
  post('/users/:id/unban', unbanUser, CHANGED),
  post('/users/:id/approve', approveUser, REVIEWED),
  post('/users/:id/reject', rejectUser, REVIEWED),
  post('/users/:id/follow', followUser, { present: userSummary, status: 201 }),
  post('/users/:id/unfollow', unfollowUser, { present: userSummary, status: 201 }),
  get('/users/:id/followers', listFollowers, { present: userSummary, paginate: 'offset' }),
  get('/users/:id/following', listFollowing, { present: userSummary, paginate: 'offset' }),
  get('/users/:id/memberships', listMemberships, { present: membershipSerializer, paginate: 'offset' }),
  del('/users/:id/identities/:provider', deleteIdentity, { status: 204 }),
  get('/users/:user_id/status', getUserStatus, { present: userStatusSerializer }),
]);

export const notificationSettingRoutes = [
  ...routes('/notification_settings', [
    get('/', getNotificationSettings, { present: everywhere }),
    put('/', updateNotificationSettings, { present: everywhere }),
  ]),
  ...containerRoutes('/notification_settings', containerNotificationSettings, ({ get: getOne, update }) => [
    get('/', getOne, { present }),
    put('/', update, { present }),
  ]),
];
