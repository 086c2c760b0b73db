import type { UserRecord, UserSummary } from '../users/user.record.js';
import { NotModified } from '../../core/errors.js';
import type { TextList } from '../../core/list.js';
import { can, operation } from '../../core/operation.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { UserFollow } from '../users/user-relations.entity.js';
import { findUser, user, userSummaryColumns } from '../users/user.finder.js';
import { userPolicy } from '../users/user.policy.js';

/** Follow a user whose profile one may see. Again, or oneself, changes nothing: 304. */
export const followUser = operation({
  name: 'followUser',
  summary: 'Follow a user',
  subject: user,
  can: can(userPolicy, 'read_user_profile'),
  kind: 'write',
  async run(ctx, found): Promise<UserRecord> {
    if (found.id === ctx.caller.id) throw new NotModified();
    const followed = await ctx.query(sql`
      insert into user_follows (follower_id, followee_id, created_at)
      values (${ctx.caller.id}, ${found.id}, ${ctx.clock.now()})
      on conflict (follower_id, followee_id) do nothing returning id`);
    if (followed.length === 0) throw new NotModified();
    return findUser(ctx, found.id);
  },
});

/** Unfollow a user. Who was not followed: 304. */
export const unfollowUser = operation({
  name: 'unfollowUser',
  summary: 'Unfollow a user',
  subject: user,
  kind: 'write',
  async run(ctx, found): Promise<UserRecord> {
    const unfollowed = await ctx.em.nativeDelete(UserFollow, { follower_id: ctx.caller.id, followee_id: found.id });
    if (unfollowed === 0) throw new NotModified();
    return findUser(ctx, found.id);
  },
});

function people(from: Fragment): TextList<UserSummary> {
  return {
    select: userSummaryColumns('u'),
    from,
    where: [],
    order: [{ key: 'id', expression: sql`f.id`, direction: 'desc', type: 'integer', value: ({ id }) => id }],
  };
}

/** List who follows a user, the newest first. */
export const listFollowers = operation({
  name: 'listFollowers',
  summary: "List a user's followers",
  subject: user,
  can: can(userPolicy, 'read_user_profile'),
  kind: 'read',
  statements: 4,
  run: (_ctx, found) =>
    Promise.resolve(
      people(sql`(select f.id, f.follower_id from user_follows f where f.followee_id = ${found.id}) f
        join users u on u.id = f.follower_id`),
    ),
});

/** List whom a user follows, the newest first. */
export const listFollowing = operation({
  name: 'listFollowing',
  summary: 'List whom a user follows',
  subject: user,
  can: can(userPolicy, 'read_user_profile'),
  kind: 'read',
  statements: 4,
  run: (_ctx, found) =>
    Promise.resolve(
      people(sql`(select f.id, f.followee_id from user_follows f where f.follower_id = ${found.id}) f
        join users u on u.id = f.followee_id`),
    ),
});
