import type { Kysely } from 'kysely';
import type { UserRecord } from './user.entity.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, scalar, unnested } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { load } from '../../core/context/loads.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { userPolicy } from './user.policy.js';

const getId = ({ id }: Readonly<UserRecord>) => id;

const detailed = (ctx: Context, users: readonly Readonly<UserRecord>[]) =>
  users.filter((user) => userPolicy.read_user_details(ctx.caller, user));

const countProjects = prepareQuery((db: Kysely<TenancyDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom('projects as p')
    .where('p.namespace_id', '=', anyOf(ids, 'bigint'))
    .groupBy('p.namespace_id')
    .select((eb) => ['p.namespace_id', eb.fn.countAll<number>().as('count')]),
);

/** Counts personal projects, which decide whether another may be made, for those users that show it. */
export const personalProjects = load(
  (user: Readonly<UserRecord>) => user.namespace_id,
  async (ctx, users) => {
    const ids = detailed(ctx, users).flatMap(({ namespace_id: id }) => (id === null ? [] : [id]));
    if (ids.length === 0) return new Map<number, number>();
    const counts = await countProjects(ctx, { ids });
    return new Map<number | null, number>(counts.map((row) => [row.namespace_id, row.count]));
  },
);

const findIdentities = prepareQuery((db: Kysely<TenancyDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom('user_identities as i')
    .where('i.user_id', '=', anyOf(ids, 'bigint'))
    .select(['i.user_id', 'i.provider', 'i.extern_uid'])
    .orderBy('i.id'),
);

/** External identities of those users whose details the caller may see. */
export const identities = load(getId, async (ctx, users) => {
  const visibleUsers = detailed(ctx, users);
  if (visibleUsers.length === 0) return new Map<number, never>();
  const rows = await findIdentities(ctx, { ids: visibleUsers.map(getId) });
  return Map.groupBy(rows, (row) => row.user_id);
});

const countFollows = prepareQuery(
  (db: Kysely<TenancyDatabase>, { ids, caller_id }: Placeholders<{ ids: readonly number[]; caller_id: number }>) =>
    db.selectFrom(unnested(ids, 'bigint').as('u')).select((eb) => {
      const followed = eb.selectFrom('user_follows as f').whereRef('f.followee_id', '=', 'u.value');
      const following = eb.selectFrom('user_follows as f').whereRef('f.follower_id', '=', 'u.value');
      const own = followed.where('f.follower_id', '=', caller_id).select(eb.lit(1).as('one'));
      const count = eb.fn.countAll<number>().as('count');
      return [
        'u.value as id',
        scalar(followed.select(count)).as('followers'),
        scalar(following.select(count)).as('following'),
        eb.exists(own).$castTo<boolean>().as('is_followed'),
      ];
    }),
);

/** Follower and following counts of users whose profile the caller may see. */
export const follows = load(getId, async (ctx, users) => {
  const visibleUsers = users.filter((user) => userPolicy.read_user_profile(ctx.caller, user));
  if (visibleUsers.length === 0) return new Map<number, never>();
  const rows = await countFollows(ctx, { ids: visibleUsers.map(getId), caller_id: ctx.caller.id });
  return new Map(rows.map((row) => [row.id, row]));
});

/** Data from other tables for users' serializers, loaded only for users whose fields are visible. */
export const userLoads = [personalProjects, identities, follows];
