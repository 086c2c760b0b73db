import { UserCaller } from '../../core/callers.js';
import type { CallerUser } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql, textColumns } from '../../core/sql.js';
import { OauthApplication } from './oauth-application.entity.js';
import { OauthGrant } from './oauth-grant.entity.js';
import { callerColumns } from '../../tenancy/users/caller-columns.js';

/** A grant with the names by which the provider library knows application and user. */
export type GrantRecord = OauthGrant & { application: { id: number; uid: string } };

/** The application behind a `client_id`, or null. */
export const applicationByUid = (ctx: Context, uid: string): Promise<OauthApplication | null> =>
  ctx.queryOne<OauthApplication>(sql`
    select ${textColumns(OauthApplication, 'a')} from oauth_applications a where a.uid = ${uid}`);

/** A grant that holds, or null. */
export const grantByUid = (ctx: Context, uid: string): Promise<GrantRecord | null> =>
  ctx.queryOne<GrantRecord>(sql`
    select ${textColumns(OauthGrant, 'g')}, a.id as "application.id", a.uid as "application.uid"
      from oauth_grants g join oauth_applications a on a.id = g.application_id
     where g.uid = ${uid} and g.revoked_at is null`);

/** Stores what a user allowed an application, and tells of it as that user. */
export async function insertGrant(
  ctx: Context,
  given: { uid: string; clientId: string; userId: number; scopes: readonly string[] },
): Promise<void> {
  await ctx.transaction(async () => {
    const [made] = await ctx.query<{ id: number; application: string; user: CallerUser }>(sql`
      with made as (
        insert into oauth_grants (uid, application_id, user_id, scopes, created_at)
        select ${given.uid}, a.id, ${given.userId}, ${given.scopes}::text[], ${ctx.clock.now()}
          from oauth_applications a where a.uid = ${given.clientId}
        returning id, application_id, user_id)
      select made.id, a.name as "application", ${callerColumns('user.')}
        from made join oauth_applications a on a.id = made.application_id join users u on u.id = made.user_id
        left join namespaces n on n.owner_id = u.id`);
    if (!made) return;
    const { id, application, user } = made;
    const grant = { id, application, scopes: given.scopes };
    ctx.as(new UserCaller(user)).record({ type: 'oauth_application.authorized', user, grant });
  });
}

/** Whether a user allowed an application all these scopes before, and has not taken it back. */
export async function hasAllowed(
  ctx: Context,
  given: { clientId: string; userId: number; scopes: readonly string[] },
): Promise<boolean> {
  const found = await ctx.queryOne(sql`
    select 1 as found from oauth_grants g join oauth_applications a on a.id = g.application_id
     where a.uid = ${given.clientId} and g.user_id = ${given.userId} and g.revoked_at is null
       and g.scopes @> ${given.scopes}::text[] limit 1`);
  return found !== null;
}

/**
 * Stores an access token for a grant that holds. The grant's row stays locked meanwhile: a revocation comes before it
 * or sees it. A grant has one access token at a time: a refresh ends the one before it.
 * @returns false when the grant was revoked
 */
export async function insertAccessToken(
  ctx: Context,
  given: { token: string; grantUid: string; scopes: readonly string[]; expiresAt: Date },
): Promise<boolean> {
  const made = await ctx.query(sql`
    with held as (select id, user_id from oauth_grants where uid = ${given.grantUid} and revoked_at is null for share),
    before as (
      update oauth_access_tokens o set revoked_at = ${ctx.clock.now()}
        from held where o.grant_id = held.id and o.revoked_at is null)
    insert into oauth_access_tokens (digest, grant_id, user_id, scopes, expires_at, created_at)
    select ${ctx.services.keys.digest(given.token)}, held.id, held.user_id, ${given.scopes}::text[],
           ${given.expiresAt}, ${ctx.clock.now()} from held
    returning id`);
  ctx.services.forgetCallers();
  return made.length > 0;
}

/** An access token with what its own endpoints tell of it. */
export interface AccessTokenRecord {
  id: number;
  user_id: number;
  scopes: string[];
  expires_at: Date;
  created_at: Date;
  grant_uid: string;
  client_id: string;
}

/** An access token that was not revoked, by itself; null for any other text. */
export const accessTokenOf = (ctx: Context, token: string): Promise<AccessTokenRecord | null> =>
  ctx.queryOne<AccessTokenRecord>(sql`
    select o.id, o.user_id, o.scopes, o.expires_at, o.created_at, g.uid as "grant_uid", a.uid as "client_id"
      from oauth_access_tokens o join oauth_grants g on g.id = o.grant_id
      join oauth_applications a on a.id = g.application_id
     where o.digest = ${ctx.services.keys.digest(token)} and o.revoked_at is null`);

/** Ends one access token. */
export async function revokeAccessToken(ctx: Context, token: string): Promise<void> {
  // Plain SQL: outside of a transaction it is one statement and one round trip.
  await ctx.query(sql`
    update oauth_access_tokens set revoked_at = ${ctx.clock.now()}
     where digest = ${ctx.services.keys.digest(token)} and revoked_at is null`);
  ctx.services.forgetCallers();
}
