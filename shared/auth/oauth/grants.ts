import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { UserCaller } from '../../core/context/callers.js';
import type { CallerUser } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { columns, nested } from '../../core/database/columns.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { constant } from '../../core/database/expressions.js';
import type { AuthDatabase } from '../auth.entities.js';
import { OauthApplication } from './oauth-application.entity.js';
import { OauthGrant } from './oauth-grant.entity.js';
import { callerAsUser } from '../../tenancy/users/caller-columns.js';

/** A grant with the names by which the provider library knows application and user. */
export type GrantRecord = OauthGrant & { application: { id: number; uid: string } };

const findApplication = prepareQuery((db: Kysely<AuthDatabase>, { uid }: Placeholders<{ uid: string }>) =>
  db.selectFrom('oauth_applications as a').select(columns(OauthApplication, 'a')).where('a.uid', '=', uid),
);

/** The application behind a `client_id`, or null. */
export const applicationByUid = async (ctx: Context, uid: string): Promise<OauthApplication | null> =>
  (await findApplication(ctx, { uid }))[0] ?? null;

const findGrant = prepareQuery((db: Kysely<AuthDatabase>, { uid }: Placeholders<{ uid: string }>) =>
  db
    .selectFrom('oauth_grants as g')
    .innerJoin('oauth_applications as a', 'a.id', 'g.application_id')
    .select([...columns(OauthGrant, 'g'), ...nested('application', OauthApplication, 'a', { only: ['id', 'uid'] })])
    .where('g.uid', '=', uid)
    .where('g.revoked_at', 'is', null),
);

/** A grant that holds, or null. */
export const grantByUid = async (ctx: Context, uid: string): Promise<GrantRecord | null> =>
  (await findGrant(ctx, { uid }))[0] ?? null;

/** Scopes as the server's array. */
const getScopes = (scopes: readonly string[]) => sql<string[]>`${scopes}::text[]`;

/** Stores a user's authorization of an application and records the event as that user. */
export async function insertGrant(
  ctx: Context,
  attributes: { uid: string; clientId: string; userId: number; scopes: readonly string[] },
): Promise<void> {
  await ctx.transaction(async () => {
    const inserted = await ctx.em
      .getKysely<AuthDatabase>()
      .with('inserted', (db) =>
        db
          .insertInto('oauth_grants')
          .columns(['uid', 'application_id', 'user_id', 'scopes', 'created_at'])
          .expression((eb) =>
            eb
              .selectFrom('oauth_applications as a')
              .select([
                eb.val(attributes.uid).as('uid'),
                'a.id',
                eb.val(attributes.userId).as('user_id'),
                getScopes(attributes.scopes).as('scopes'),
                eb.val(ctx.clock.now()).as('created_at'),
              ])
              .where('a.uid', '=', attributes.clientId),
          )
          .returning(['id', 'application_id', 'user_id']),
      )
      .selectFrom('inserted')
      .innerJoin('oauth_applications as a', 'a.id', 'inserted.application_id')
      .innerJoin('users as u', 'u.id', 'inserted.user_id')
      .leftJoin('namespaces as n', 'n.owner_id', 'u.id')
      .select(['inserted.id', 'a.name as application', ...callerAsUser()])
      .executeTakeFirst();
    if (!inserted) return;
    const { id, application } = inserted;
    const user = inserted.user as CallerUser;
    const grant = { id, application, scopes: attributes.scopes };
    ctx.as(new UserCaller(user)).record({ type: 'oauth_application.authorized', user, grant });
  });
}

/** Whether a user has authorized an application for all these scopes and has not revoked it. */
export async function hasAllowed(
  ctx: Context,
  filters: { clientId: string; userId: number; scopes: readonly string[] },
): Promise<boolean> {
  const found = await ctx.em
    .getKysely<AuthDatabase>()
    .selectFrom('oauth_grants as g')
    .innerJoin('oauth_applications as a', 'a.id', 'g.application_id')
    .select('g.id')
    .where('a.uid', '=', filters.clientId)
    .where('g.user_id', '=', filters.userId)
    .where('g.revoked_at', 'is', null)
    .where('g.scopes', '@>', getScopes(filters.scopes))
    .limit(constant(1))
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Stores an access token for a grant that holds. The grant's row stays locked meanwhile: a revocation comes before it
 * or sees it. A grant has one access token at a time: a refresh ends the one before it.
 * @returns false when the grant was revoked
 */
export async function insertAccessToken(
  ctx: Context,
  attributes: { token: string; grantUid: string; scopes: readonly string[]; expiresAt: Date },
): Promise<boolean> {
  const now = ctx.clock.now();
  const grants = await ctx.em
    .getKysely<AuthDatabase>()
    .with('held', (db) =>
      db
        .selectFrom('oauth_grants')
        .select(['id', 'user_id'])
        .where('uid', '=', attributes.grantUid)
        .where('revoked_at', 'is', null)
        .forShare(),
    )
    .with('before', (db) =>
      db
        .updateTable('oauth_access_tokens as o')
        .from('held')
        .set({ revoked_at: now })
        .whereRef('o.grant_id', '=', 'held.id')
        .where('o.revoked_at', 'is', null),
    )
    .insertInto('oauth_access_tokens')
    .columns(['digest', 'grant_id', 'user_id', 'scopes', 'expires_at', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('held')
        .select([
          eb.val(ctx.services.keys.digest(attributes.token)).as('digest'),
          'held.id',
          'held.user_id',
          getScopes(attributes.scopes).as('scopes'),
          eb.val(attributes.expiresAt).as('expires_at'),
          eb.val(now).as('created_at'),
        ]),
    )
    .returning('id')
    .execute();
  ctx.services.forgetCallers();
  return grants.length > 0;
}

/** An access token with the fields for its own endpoints. */
export interface AccessTokenRecord {
  id: number;
  user_id: number;
  scopes: string[];
  expires_at: Date;
  created_at: Date;
  grant_uid: string;
  client_id: string;
}

const findAccessToken = prepareQuery<AuthDatabase, { digest: Buffer }, AccessTokenRecord>((db, { digest }) =>
  db
    .selectFrom('oauth_access_tokens as o')
    .innerJoin('oauth_grants as g', 'g.id', 'o.grant_id')
    .innerJoin('oauth_applications as a', 'a.id', 'g.application_id')
    .select(['o.id', 'o.user_id', 'o.scopes', 'o.expires_at', 'o.created_at'])
    .select(['g.uid as grant_uid', 'a.uid as client_id'])
    .where('o.digest', '=', digest)
    .where('o.revoked_at', 'is', null),
);

/** An access token that was not revoked, by itself; null for any other text. */
export const loadAccessToken = async (ctx: Context, token: string): Promise<AccessTokenRecord | null> =>
  (await findAccessToken(ctx, { digest: ctx.services.keys.digest(token) }))[0] ?? null;

/** Ends one access token. */
export async function revokeAccessToken(ctx: Context, token: string): Promise<void> {
  await ctx.em
    .getKysely<AuthDatabase>()
    .updateTable('oauth_access_tokens')
    .set({ revoked_at: ctx.clock.now() })
    .where('digest', '=', ctx.services.keys.digest(token))
    .where('revoked_at', 'is', null)
    .execute();
  ctx.services.forgetCallers();
}
