import type { UserRecord } from './user.record.js';
import type { Context } from '../../core/context.js';
import { Forbidden, NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import type { TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { raw, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { User, UserProfile } from './user.entity.js';

/** What a user's summary is made of. */
export const USER_SUMMARY = ['id', 'username', 'name', 'public_email', 'state', 'avatar'] as const;

/** The columns of a user's summary, for records that name users: `userSummaryColumns('o', 'owner.')`. */
export const userSummaryColumns = (alias: string, prefix = ''): Fragment =>
  textColumns(User, alias, prefix, USER_SUMMARY);

const selected: Fragment = sql`${textColumns(User, 'u')}, n.id as "namespace_id", ${textColumns(UserProfile, 'up', 'profile.')},
  ${userSummaryColumns('c', 'created_by.')}`;
const tables: Fragment = sql`users u
  join user_profiles up on up.user_id = u.id
  left join namespaces n on n.owner_id = u.id
  left join users c on c.id = u.created_by_id`;

/** All users, newest first; filters are added to `where`. Who signed in may see that any of them exists. */
export function visibleUsers(where: readonly Fragment[] = []): TextList<UserRecord> {
  return { select: selected, from: tables, matching: raw('users u'), where: [...where], order: [byId('u', 'desc')] };
}

/** The same users, with no more than a summary shows: several times as quick, and most lists show no more. */
export function visibleUserSummaries(where: readonly Fragment[] = []): TextList<UserRecord> {
  return { ...visibleUsers(where), select: userSummaryColumns('u'), from: raw('users u') };
}

/** @throws NotFound "404 User Not Found" */
export async function findUser(ctx: Context, id: number): Promise<UserRecord> {
  const user = await ctx.queryOne<UserRecord>(sql`select ${selected} from ${tables} where u.id = ${id}`);
  if (!user) throw new NotFound('User');
  return user;
}

/**
 * The user whom digits name by id and anything else by username, whatever its case.
 * @throws NotFound "404 User Not Found"
 */
export async function findUserByReference(ctx: Context, reference: string): Promise<UserRecord> {
  if (/^\d{1,15}$/.test(reference)) return findUser(ctx, Number(reference));
  return findUserByUsername(ctx, reference);
}

/** @throws NotFound "404 User Not Found" */
export async function findUserByUsername(ctx: Context, username: string): Promise<UserRecord> {
  const user = await ctx.queryOne<UserRecord>(
    sql`select ${selected} from ${tables} where lower(u.username) = lower(${username})`,
  );
  if (!user) throw new NotFound('User');
  return user;
}

/** Many users by id, with what their summaries leave out. */
export async function usersById(ctx: Context, ids: readonly number[]): Promise<Map<number, UserRecord>> {
  const users = await ctx.query<UserRecord>(sql`select ${selected} from ${tables} where u.id = any(${ids}::bigint[])`);
  return new Map(users.map((found) => [found.id, found]));
}

/** The subject of every `/users/:id…` operation. Anonymous callers are told no, not whether the user exists. */
export const user: Subject<UserRecord> = {
  noun: 'User',
  params: { id: integer().describe('Id of the user.') },
  find(ctx, input: { id: number }) {
    if (ctx.caller.anonymous) throw new Forbidden('Not authorized!');
    return findUser(ctx, input.id);
  },
};

/** The subject of `/users/:user_id/<something of theirs>`. */
export const userById: Subject<UserRecord> = {
  noun: 'User',
  params: { user_id: integer().describe('Id of the user.') },
  find: (ctx, input: { user_id: number }) => findUser(ctx, input.user_id),
};

/** Whether there is such a user and they may sign in. */
export async function isActiveUser(ctx: Context, id: number): Promise<boolean> {
  return (await ctx.queryOne(sql`select 1 as found from users where id = ${id} and state = 'active'`)) !== null;
}
