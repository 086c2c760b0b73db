import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant, scalar } from '../../core/database/expressions.js';
import type { AuthDatabase } from '../auth.entities.js';
import { StoredCredentials } from './initial-credentials.entity.js';

/** How long the credentials can be shown again, unless the password is changed earlier. */
const RETENTION_HOURS = 24;

/** The administrator's first password and token. Null for values set by the environment, or no longer known. */
export interface InitialCredentials {
  token: string | null;
  password: string | null;
}

/** The lines that show the credentials, one for each. */
export function credentialLines({ token, password }: InitialCredentials): string[] {
  return [
    ...(token === null ? [] : [`Access token (all scopes):  ${token}`]),
    ...(password === null ? [] : [`Password:                   ${password}`]),
  ];
}

/** Notice of how long the credentials can be shown. */
export const RETENTION_NOTE = `They are kept, encrypted, for ${RETENTION_HOURS} hours or until the password is changed.`;

export interface SealedCredentials {
  user_id: number;
  token_id: number | null;
  password_made: boolean;
  sealed_password: Uint8Array | null;
  sealed_token: Uint8Array | null;
  /** Whether the password or token was used: by signing in, in the API or over git. */
  used: boolean;
  expired: boolean;
  token_revoked: boolean;
}

const boundTo = (userId: number, what: 'password' | 'token') => `instance_initial_credentials.sealed_${what}:${userId}`;

/** Stores the administrator's generated credentials, encrypted. Values set by the environment are not stored. */
export async function keepInitialCredentials(
  ctx: Context,
  { userId, tokenId, password, token }: InitialCredentials & { userId: number; tokenId: number | null },
): Promise<void> {
  if (password === null && token === null) return;
  const seal = (value: string | null, what: 'password' | 'token') =>
    value === null ? null : ctx.services.keys.encrypt(value, boundTo(userId, what));
  await ctx.em.upsert(
    StoredCredentials,
    {
      only_one: true,
      user_id: userId,
      token_id: tokenId,
      password_made: password !== null,
      sealed_password: seal(password, 'password'),
      sealed_token: seal(token, 'token'),
      created_at: ctx.clock.now(),
    },
    { onConflictFields: ['only_one'] },
  );
}

function oldest(ctx: Context): Date {
  return new Date(ctx.clock.now().getTime() - RETENTION_HOURS * 3_600_000);
}

/** The stored credentials; null if none were generated, or the password was changed. */
export async function readSealedCredentials(ctx: Context): Promise<SealedCredentials | null> {
  const credentials = await ctx.em
    .getKysely<AuthDatabase>()
    .selectFrom('instance_initial_credentials as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .select(['k.user_id', 'k.token_id', 'k.password_made', 'k.sealed_password', 'k.sealed_token'])
    .select((eb) => {
      const usedTokens = eb
        .selectFrom('personal_access_tokens as t')
        .select(eb.lit(1).as('one'))
        .whereRef('t.user_id', '=', 'k.user_id')
        .where('t.last_used_at', 'is not', null);
      const revoked = eb
        .selectFrom('personal_access_tokens as t')
        .select('t.revoked')
        .whereRef('t.id', '=', 'k.token_id');
      const used = eb.or([
        eb('u.current_sign_in_at', 'is not', null),
        eb('u.last_sign_in_at', 'is not', null),
        eb('u.last_activity_on', 'is not', null),
        eb.exists(usedTokens),
      ]);
      return [
        used.$castTo<boolean>().as('used'),
        eb('k.created_at', '<=', oldest(ctx)).$castTo<boolean>().as('expired'),
        eb.fn.coalesce(scalar(revoked), constant<boolean>(true)).as('token_revoked'),
      ];
    })
    .executeTakeFirst();
  return credentials ?? null;
}

/** The stored credentials in plain text; null once expired. */
export function openCredentials(ctx: Context, credentials: SealedCredentials): InitialCredentials | null {
  if (credentials.expired) return null;
  const open = (sealed: Uint8Array | null, what: 'password' | 'token') =>
    sealed === null ? null : ctx.services.keys.decrypt(Buffer.from(sealed), boundTo(credentials.user_id, what));
  return {
    token: credentials.token_revoked ? null : open(credentials.sealed_token, 'token'),
    password: open(credentials.sealed_password, 'password'),
  };
}

/** Deletes the credentials of users who changed their password. */
export async function forgetInitialCredentials(ctx: Context<Caller>, userIds: readonly number[]): Promise<void> {
  await ctx.em
    .getKysely<AuthDatabase>()
    .deleteFrom('instance_initial_credentials')
    .where('user_id', '=', anyOf(userIds, 'bigint'))
    .execute();
}

/**
 * Erases the text of expired credentials. The record remains: as long as they were never used, a start generates new
 * ones.
 */
export async function expireInitialCredentials(ctx: Context): Promise<void> {
  await ctx.em
    .getKysely<AuthDatabase>()
    .updateTable('instance_initial_credentials')
    .set({ sealed_password: null, sealed_token: null })
    .where('created_at', '<=', oldest(ctx))
    .where((eb) => eb.or([eb('sealed_password', 'is not', null), eb('sealed_token', 'is not', null)]))
    .execute();
}
