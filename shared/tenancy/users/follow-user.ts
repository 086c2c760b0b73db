import { expressionBuilder } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import { User } from './user.entity.js';
import type { UserRecord, UserSummary } from './user.entity.js';
import { columns } from '../../core/database/columns.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotModified } from '../../core/values/errors.js';
import type { List } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { UserFollow } from './user-relations.entity.js';
import { findUser, user, USER_SUMMARY } from './user.finder.js';
import { userPolicy } from './user.policy.js';

/** Follow a user whose profile the caller may see. Following again, or following oneself, changes nothing: 304. */
export const followUser = operation({
  name: 'followUser',
  summary: 'Follow a user',
  resource: user,
  can: can(userPolicy, 'read_user_profile'),
  kind: 'write',
  async run(ctx, found): Promise<UserRecord> {
    if (found.id === ctx.caller.id) throw new NotModified();
    const followed = await ctx.em
      .getKysely<TenancyDatabase>()
      .insertInto('user_follows')
      .values({ follower_id: ctx.caller.id, followee_id: found.id, created_at: ctx.clock.now() })
      .onConflict((conflict) => conflict.columns(['follower_id', 'followee_id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!followed) throw new NotModified();
    return findUser(ctx, found.id);
  },
});

/** Unfollow a user. Who was not followed: 304. */
export const unfollowUser = operation({
  name: 'unfollowUser',
  summary: 'Unfollow a user',
  resource: user,
  kind: 'write',
  async run(ctx, found): Promise<UserRecord> {
    const unfollowed = await ctx.em.nativeDelete(UserFollow, { follower_id: ctx.caller.id, followee_id: found.id });
    if (unfollowed === 0) throw new NotModified();
    return findUser(ctx, found.id);
  },
});

type OfFollows = Aliased<TenancyDatabase, { f: 'user_follows'; u: 'users' }>;
type FollowQuery = SelectQueryBuilder<OfFollows, 'f' | 'u', object>;
const onFollows = expressionBuilder<OfFollows, 'f' | 'u'>();

/** Users on one end of follows that have a given user on the other end. */
function people(
  end: 'followee_id' | 'follower_id',
  other: 'followee_id' | 'follower_id',
  id: number,
): List<UserSummary> {
  return {
    matching: expressionBuilder<TenancyDatabase>()
      .selectFrom('user_follows as f')
      .innerJoin('users as u', 'u.id', `f.${end}`)
      .where(`f.${other}`, '=', id),
    select: (query: FollowQuery) => query.select(columns(User, 'u', USER_SUMMARY)),
    order: [
      { key: 'id', expression: onFollows.ref('f.id'), direction: 'desc', type: 'integer', value: (one) => one.id },
    ],
  };
}

/** List who follows a user, the newest first. */
export const listFollowers = operation({
  name: 'listFollowers',
  summary: "List a user's followers",
  resource: user,
  can: can(userPolicy, 'read_user_profile'),
  kind: 'read',
  statements: 4,
  run: (_ctx, found) => Promise.resolve(people('follower_id', 'followee_id', found.id)),
});

/** List the users that a user follows, newest first. */
export const listFollowing = operation({
  name: 'listFollowing',
  summary: 'List users that a user follows',
  resource: user,
  can: can(userPolicy, 'read_user_profile'),
  kind: 'read',
  statements: 4,
  run: (_ctx, found) => Promise.resolve(people('followee_id', 'follower_id', found.id)),
});
