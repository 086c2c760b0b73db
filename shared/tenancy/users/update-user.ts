import { User, UserProfile } from './user.entity.js';
import type { UserRecord } from './user.entity.js';
import type { z } from 'zod';
import { replaceAvatar } from '../../instance/avatars/avatars.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { Conflict, NotFound } from '../../core/values/errors.js';
import { optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { lockTree, moveRoutes } from '../namespaces/claim-path.js';
import { allOrNoneOf } from '../../core/operations/params.js';
import { setIdentity } from './identities.js';
import { userConflict } from './create-user.js';
import { findUser, user } from './user.finder.js';
import { requireFreeNames, getProfileRights } from './user.operations.js';
import { accountValues, profileValues, userParams } from './user.params.js';
import { userPolicy } from './user.policy.js';
import { requireUserValues } from './user.rules.js';

const params = {
  email: text().optional().describe('Email address of the user, which no other user may have.'),
  name: text().optional().describe('Display name of the user.'),
  username: text().optional().describe('Username of the user in paths, which no other user or group may have.'),
  password: optional(text()).describe('Password of 8 to 128 characters.'),
  ...userParams,
};

/**
 * Changes a user, for both the operation below and the command line.
 * @throws Invalid, Conflict
 */
export async function changeUser(
  ctx: Context,
  found: UserRecord,
  input: z.output<z.ZodObject<typeof params>>,
): Promise<UserRecord> {
  const { email, name, username, password } = input;
  // Locks namespaces before users, in the same order as project creation, to avoid deadlocks.
  if ((username !== undefined || name !== undefined) && found.namespace_id !== null)
    await lockTree(ctx, found.namespace_id);
  // Not so tight that rows which only refer to the person would wait for it.
  const row = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('users as u')
    .select(columns(User, 'u'))
    .where('u.id', '=', found.id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw new NotFound('User');
  const profile = profileValues(input);
  const account = accountValues(input);
  await requireFreeNames(ctx, { email, username }, found);
  const addresses = addressChanges(found, email ?? row.email);
  requireUserValues({
    name,
    username,
    password,
    public_email: account.public_email,
    ...profile,
    email: email ?? row.email,
  });
  const edited = {
    ...addresses.account,
    ...account,
    email: email ?? row.email,
    name: name ?? row.name,
    username: username ?? row.username,
    password_digest:
      password === undefined ? (row.password_digest ?? null) : await ctx.services.passwords.hash(password),
    avatar: await replaceAvatar(ctx, { kind: 'user', id: found.id }, row.avatar, input.avatar),
    updated_at: ctx.clock.now(),
  };
  await ctx.em.nativeUpdate(User, { id: found.id }, edited).catch((error: unknown) => {
    throw userConflict(error);
  });
  const rights = getProfileRights(account.external, found.external, profile);
  await ctx.em.nativeUpdate(UserProfile, { user_id: found.id }, { ...addresses.profile, ...rights });
  await setIdentity(ctx, found.id, input);
  if (username !== undefined || name !== undefined) await renameNamespace(ctx, found, edited);
  ctx.afterCommit(() => ctx.services.forgetCallers());
  const after = await findUser(ctx, found.id);
  ctx.record({ type: 'user.updated', before: found, after });
  if (password !== undefined) ctx.record({ type: 'user.password_changed', user: after, by: 'another' });
  return after;
}

/** Edit a user: administrators. Another username moves everything in the personal namespace. */
export const updateUser = operation({
  name: 'updateUser',
  summary: 'Edit a user',
  example: { name: 'Ada Lovelace' },
  resource: user,
  can: can(userPolicy, 'update_user'),
  kind: 'write',
  statements: 20,
  params,
  rules: [allOrNoneOf('extern_uid', 'provider')],
  run: changeUser,
});

/** Addresses that repeated the old one follow the new one, unless something else is sent for them. */
function addressChanges(found: UserRecord, email: string) {
  return {
    account: found.public_email === null ? {} : { public_email: email },
    profile: found.profile.commit_email === null ? {} : { commit_email: email },
  };
}

/** The namespace's tree is locked. */
async function renameNamespace(ctx: Context, before: UserRecord, after: Pick<User, 'username' | 'name'>) {
  if (before.namespace_id === null) return;
  if (before.username === after.username && before.name === after.name) return;
  const namespaceColumns = { path: after.username, name: after.name, updated_at: ctx.clock.now() };
  await ctx.em.nativeUpdate(Namespace, { id: before.namespace_id }, namespaceColumns);
  const moved = await moveRoutes(
    ctx,
    before.namespace_id,
    { path: before.username, name: before.name },
    { path: after.username, name: after.name },
  );
  if (!moved) throw new Conflict('Username has already been taken');
}
