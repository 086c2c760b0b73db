import { User } from './user.entity.js';
import type { UserRecord } from './user.entity.js';
import { replaceAvatar } from '../../instance/avatars/avatars.js';
import type { Context } from '../../core/context/context.js';
import { sameText } from '../../core/database/expressions.js';
import { Conflict, Forbidden, Invalid } from '../../core/values/errors.js';
import { boolean, optional, paginationParam, text } from '../../core/operations/fields.js';
import type { Keyset } from '../../core/database/list.js';
import { countAction } from '../../core/operations/limit-actions.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import { allOrNoneOf, getAtLeastOne } from '../../core/operations/params.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { withAttributesParam } from '../containers/custom-attribute.filters.js';
import { isPathTaken } from '../namespaces/claim-path.js';
import { DEFAULT_RIGHTS, insertUser } from './create-user.js';
import type { ProfileValues } from './create-user.js';
import { userConditions, userFilterParams, userKeysetOrder, userOrder, visibleToEverybody } from './user.filters.js';
import { findUser, onUsers, user, visibleUserSummaries, visibleUsers } from './user.finder.js';
import { setIdentity } from './identities.js';
import { accountValues, profileValues, userParams } from './user.params.js';
import { usersPolicy } from './user.policy.js';
import { requireUserValues } from './user.rules.js';

const READ_SCOPES = ['api', 'read_api', 'read_user'] as const;

/** Read the caller's own record. Clients call it at startup to identify a token's user. */
export const getCurrentUser = operation({
  name: 'getCurrentUser',
  summary: "Read the caller's own record",
  resource: instance,
  kind: 'read',
  scopes: READ_SCOPES,
  statements: 5,
  run: (ctx) => findUser(ctx, ctx.caller.user.id),
});

/** Read one user. Requires sign-in. */
export const getUser = operation({
  name: 'getUser',
  summary: 'Read a user',
  resource: user,
  authentication: 'open',
  kind: 'read',
  scopes: READ_SCOPES,
  statements: 6,
  params: withAttributesParam,
  async run(ctx, found) {
    // Administrators read as many as they like (core-resources.md section 1).
    if (!ctx.caller.admin) await countAction(ctx, 'user_read');
    return found;
  },
});

/** List users. Without signing in only to look one up by its username, or by keyset (rest-conventions.md section 7). */
export const listUsers = operation({
  name: 'listUsers',
  summary: 'List users visible to the caller',
  resource: instance,
  authentication: 'open',
  limit: 'users_list',
  kind: 'read',
  scopes: READ_SCOPES,
  statements: 7,
  params: { ...userFilterParams, pagination: paginationParam },
  run(ctx, _instance, input) {
    const byKeyset = input.pagination === 'keyset';
    if (ctx.caller.anonymous && input.username === undefined && !byKeyset)
      throw new Forbidden('Not authorized to access /api/v4/users');
    const keyset: Keyset<UserRecord> = {
      type: 'User',
      by: 'cursor',
      offered: true,
      order: userKeysetOrder(ctx, input),
    };
    // Callers who see full records can also use orders that need more than the summary columns.
    const visible = usersPolicy.filter_users_fully(ctx.caller, null) ? visibleUsers : visibleUserSummaries;
    const where = [...userConditions(ctx, input), ...(ctx.caller.anonymous && byKeyset ? [visibleToEverybody] : [])];
    return Promise.resolve({ ...visible(where), order: userOrder(ctx, input), keyset });
  },
});

/** Reports whether the email address or the username is taken, one error at a time (core-resources.md section 1). */
export async function requireFreeNames(
  ctx: Context,
  attributes: { email?: string | undefined; username?: string | undefined },
  except: { id: number; namespace_id: number | null } | null = null,
): Promise<void> {
  if (attributes.email !== undefined) {
    const existing = await ctx.em
      .getKysely<TenancyDatabase>()
      .selectFrom('users as u')
      .select('u.id')
      .where(sameText(onUsers.ref('u.email'), attributes.email))
      .where('u.id', 'is distinct from', except?.id ?? null)
      .executeTakeFirst();
    if (existing) throw new Conflict('Email has already been taken');
  }
  if (attributes.username !== undefined && (await isPathTaken(ctx, attributes.username, except?.namespace_id ?? null)))
    throw new Conflict('Username has already been taken');
}

/** External users make nothing of their own, whatever else was sent; who stops being one gets the defaults. */
export function getProfileRights(external: boolean | undefined, was: boolean, profile: Partial<ProfileValues>) {
  if (external === true) return { ...profile, can_create_group: false, projects_limit: 0 };
  return external === false && was ? { ...DEFAULT_RIGHTS, ...profile } : profile;
}

/** Create a user with a personal namespace: administrators. Without a password there is none to sign in with. */
export const createUser = operation({
  name: 'createUser',
  summary: 'Create a user',
  example: { force_random_password: true },
  resource: instance,
  can: can(usersPolicy, 'create_user'),
  kind: 'write',
  params: {
    email: text()
      .describe('Email address of the user, which no other user may have.')
      .meta({ examples: ['ada@example.com'] }),
    name: text()
      .describe('Display name of the user.')
      .meta({ examples: ['Ada Lovelace'] }),
    username: text()
      .describe('Username of the user in paths, which no other user or group may have.')
      .meta({ examples: ['ada'] }),
    password: text().optional().describe('Password of 8 to 128 characters.'),
    reset_password: optional(boolean()).describe('If `true`, the user sets the password.'),
    force_random_password: optional(boolean()).describe('If `true`, sets a password that is unknown to everybody.'),
    ...userParams,
  },
  statements: 20,
  rules: [allOrNoneOf('extern_uid', 'provider'), getAtLeastOne('password', 'reset_password', 'force_random_password')],
  async run(ctx, _instance, input) {
    const { email, name, username, password } = input;
    if (password === undefined && !input.reset_password && !input.force_random_password)
      throw new Invalid({ password: ["can't be blank"] });
    const profile = profileValues(input);
    const account = accountValues(input);
    await requireFreeNames(ctx, { email, username });
    requireUserValues({ email, name, username, password, public_email: account.public_email, ...profile });
    const newUser = await insertUser(ctx, {
      email,
      name,
      username,
      ...account,
      profile: getProfileRights(account.external, false, profile),
      password_digest: password === undefined ? null : await ctx.services.passwords.hash(password),
      created_by_id: ctx.caller.user.id,
    });
    await setIdentity(ctx, newUser.id, input);
    if (input.avatar) {
      const avatar = await replaceAvatar(ctx, { kind: 'user', id: newUser.id }, null, input.avatar);
      await ctx.em.nativeUpdate(User, { id: newUser.id }, { avatar });
    }
    ctx.record({ type: 'user.created', user: newUser });
    return findUser(ctx, newUser.id);
  },
});
