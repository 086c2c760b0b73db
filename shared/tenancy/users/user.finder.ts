import { expressionBuilder } from 'kysely';
import type { Expression, Kysely, SelectQueryBuilder, SqlBool } from 'kysely';
import { User, UserProfile } from './user.entity.js';
import type { UserRecord } from './user.entity.js';
import type { Context } from '../../core/context/context.js';
import { columns, nested, nestedOrNull } from '../../core/database/columns.js';
import { anyOf, likeLiteral, sameText } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { byId, narrow } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import type { TenancyDatabase } from '../tenancy.entities.js';

/** Columns of a user's summary. */
export const USER_SUMMARY = ['id', 'username', 'name', 'public_email', 'state', 'avatar'] as const;

/** Users `u`, as conditions name them. */
export type OfUsers = Aliased<TenancyDatabase, { u: 'users' }>;

type UserQuery = SelectQueryBuilder<OfUsers, 'u', object>;

/** Builds conditions on users `u`. */
export const onUsers = expressionBuilder<OfUsers, 'u'>();

/** Condition that the name or the username of user `u` contains a text. */
export function userMatchesName(text: string): Expression<SqlBool> {
  const pattern = `%${likeLiteral(text)}%`;
  return onUsers.or([onUsers('u.name', 'ilike', pattern), onUsers('u.username', 'ilike', pattern)]);
}

/** Selects whole records of users `u`. */
const selectUsers = (query: UserQuery) =>
  query
    .innerJoin('user_profiles as up', 'up.user_id', 'u.id')
    .leftJoin('namespaces as n', 'n.owner_id', 'u.id')
    .leftJoin('users as c', 'c.id', 'u.created_by_id')
    .select([
      ...columns(User, 'u'),
      'n.id as namespace_id',
      ...nested('profile', UserProfile, 'up'),
      ...nestedOrNull('created_by', User, 'c', { only: USER_SUMMARY }),
    ]);

/** All users, newest first, of which conditions on `u` hold. Who signed in may see that any of them exists. */
export function visibleUsers(where: readonly Expression<SqlBool>[] = []): List<UserRecord> {
  const matching = expressionBuilder<TenancyDatabase>().selectFrom('users as u');
  return narrow({ matching, select: selectUsers, order: [byId<UserRecord>('u', 'desc')] }, where);
}

/** The same users with only the summary columns: several times faster, and enough for most lists. */
export function visibleUserSummaries(where: readonly Expression<SqlBool>[] = []): List<UserRecord> {
  return { ...visibleUsers(where), select: (query: UserQuery) => query.select(columns(User, 'u', USER_SUMMARY)) };
}

const getUsers = (db: Kysely<TenancyDatabase>) => selectUsers(db.selectFrom('users as u'));

const loadUser = {
  id: prepareQuery<TenancyDatabase, { id: number }, UserRecord>((db, { id }) => getUsers(db).where('u.id', '=', id)),
  ids: prepareQuery<TenancyDatabase, { ids: readonly number[] }, UserRecord>((db, { ids }) =>
    getUsers(db).where('u.id', '=', anyOf(ids, 'bigint')),
  ),
  username: prepareQuery<TenancyDatabase, { username: string }, UserRecord>((db, { username }) =>
    getUsers(db).where((eb) => sameText(eb.ref('u.username'), username)),
  ),
};

/** @throws NotFound "404 User Not Found" */
export async function findUser(ctx: Context, id: number): Promise<UserRecord> {
  const [user] = await loadUser.id(ctx, { id });
  if (!user) throw new NotFound('User');
  return user;
}

/**
 * Finds a user by id (digits) or by username (anything else, case-insensitive).
 * @throws NotFound "404 User Not Found"
 */
export async function findUserByReference(ctx: Context, reference: string): Promise<UserRecord> {
  if (/^\d{1,15}$/.test(reference)) return findUser(ctx, Number(reference));
  return findUserByUsername(ctx, reference);
}

/** @throws NotFound "404 User Not Found" */
export async function findUserByUsername(ctx: Context, username: string): Promise<UserRecord> {
  const [user] = await loadUser.username(ctx, { username });
  if (!user) throw new NotFound('User');
  return user;
}

/** The id of a user given by id (digits) or username (anything else); null if there is none. */
export async function findUserId(ctx: Context, reference: string): Promise<number | null> {
  const condition = /^\d{1,15}$/.test(reference)
    ? onUsers('u.id', '=', Number(reference))
    : sameText(onUsers.ref('u.username'), reference);
  const found = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('users as u')
    .select('u.id')
    .where(condition)
    .executeTakeFirst();
  return found?.id ?? null;
}

/** Many users by id, with what their summaries leave out. */
export async function usersById(ctx: Context, ids: readonly number[]): Promise<Map<number, UserRecord>> {
  const users = await loadUser.ids(ctx, { ids });
  return new Map(users.map((found) => [found.id, found]));
}

/**
 * The resource of every `/users/:id…` operation. Anonymous callers are refused without learning whether the user
 * exists.
 */
export const user: Resource<UserRecord> = {
  noun: 'User',
  params: { id: integer().describe('ID of the user.') },
  find(ctx, input: { id: number }) {
    if (ctx.caller.anonymous) throw new Forbidden('Not authorized!');
    return findUser(ctx, input.id);
  },
};

/** The resource of `/users/:user_id/<something of theirs>`. */
export const userById: Resource<UserRecord> = {
  noun: 'User',
  params: { user_id: integer().describe('ID of the user.') },
  find: (ctx, input: { user_id: number }) => findUser(ctx, input.user_id),
};

/** Whether there is such a user and they may sign in. */
export async function isActiveUser(ctx: Context, id: number): Promise<boolean> {
  return (await ctx.em.count(User, { id, state: 'active' })) > 0;
}
