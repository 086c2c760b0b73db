import { errors } from 'oidc-provider';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Context } from '../../../shared/core/context/context.js';
import {
  loadAccessToken,
  applicationByUid,
  grantByUid,
  insertAccessToken,
  insertGrant,
  revokeAccessToken,
} from '../../../shared/auth/oauth/grants.js';
import {
  consumeProviderRecord,
  deleteProviderRecord,
  findProviderRecord,
  grantOfRecord,
  saveProviderRecord,
} from '../../../shared/auth/oauth/provider-records.js';
import { applicationType } from '../../../shared/auth/oauth/redirect-uris.js';
import { revokeGrant } from '../../../shared/auth/oauth/revoke-grants.js';

const getScopes = (scope: string | undefined): string[] => (scope ?? '').split(' ').filter((word) => word !== '');

/**
 * Drops the fields that the library stores with a token. The token's plain text is never stored; it is added back when
 * a lookup by that text succeeds.
 */
const nameless = ({ jti: _secret, iat: _iat, exp: _exp, consumed: _consumed, ...rest }: AdapterPayload) => rest;

/** Seconds since 1970. */
const seconds = (ms: number) => Math.floor(ms / 1000);

/**
 * The library reads the process's clock, but times are stored by the service's clock. They are passed to the library
 * with the same distance from its current time as they have from the service's.
 */
function getTimes(ctx: Context, stored: { created_at: Date; expires_at: Date }): { iat: number; exp: number } {
  const ahead = Date.now() - ctx.clock.now().getTime();
  return { iat: seconds(stored.created_at.getTime() + ahead), exp: seconds(stored.expires_at.getTime() + ahead) };
}

const getExpiry = (ctx: Context, expiresIn: number | undefined): Date =>
  new Date(ctx.clock.now().getTime() + (expiresIn ?? 0) * 1000);

type Store = Pick<Adapter, 'upsert' | 'find' | 'consume' | 'destroy'>;

/** The grant was revoked after it was checked, so the request that depends on it is refused. */
const revoked = () => new errors.InvalidGrant('grant is revoked');
const nothing = () => Promise.resolve();

/**
 * Applications as the library's clients. The library receives only the digest of the secret and a function to compare
 * with it.
 */
const clients = (ctx: Context): Store => ({
  upsert: nothing,
  consume: nothing,
  destroy: nothing,
  async find(uid) {
    const found = await applicationByUid(ctx, uid);
    if (!found) return undefined;
    return {
      client_id: found.uid,
      client_name: found.name,
      redirect_uris: found.redirect_uris,
      application_type: applicationType(found.redirect_uris, found.confidential),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: found.scopes.join(' '),
      ...(found.confidential && found.secret_digest
        ? {
            token_endpoint_auth_method: 'client_secret_basic',
            client_secret: Buffer.from(found.secret_digest).toString('base64url'),
          }
        : { token_endpoint_auth_method: 'none' }),
    };
  },
});

const grants = (ctx: Context): Store => ({
  async upsert(uid, payload) {
    const { clientId = '', accountId, openid } = payload as { clientId?: string; accountId?: string; openid?: unknown };
    const { scope } = (openid ?? {}) as { scope?: string };
    await insertGrant(ctx, { uid, clientId, userId: Number(accountId), scopes: getScopes(scope) });
  },
  async find(uid) {
    const found = await grantByUid(ctx, uid);
    if (!found) return undefined;
    return {
      kind: 'Grant',
      jti: uid,
      accountId: String(found.user_id),
      clientId: found.application.uid,
      openid: { scope: found.scopes.join(' ') },
    } as AdapterPayload;
  },
  consume: nothing,
  destroy: (uid) => revokeGrant(ctx, uid),
});

const accessTokens = (ctx: Context): Store => ({
  async upsert(token, payload, expiresIn) {
    const { grantId: grantUid = '', scope } = payload;
    const inserted = await insertAccessToken(ctx, {
      token,
      grantUid,
      scopes: getScopes(scope),
      expiresAt: getExpiry(ctx, expiresIn),
    });
    if (!inserted) throw revoked();
  },
  async find(token) {
    const found = await loadAccessToken(ctx, token);
    if (!found) return undefined;
    return {
      kind: 'AccessToken',
      jti: token,
      accountId: String(found.user_id),
      clientId: found.client_id,
      grantId: found.grant_uid,
      gty: 'authorization_code',
      scope: found.scopes.join(' '),
      ...getTimes(ctx, found),
    };
  },
  consume: nothing,
  destroy: (token) => revokeAccessToken(ctx, token),
});

/**
 * Users who have to sign in return with the whole request (`provider.ts`), so only interactions that wait for the
 * consent of a signed-in user need to be stored.
 */
const isNeeded = (kind: string, { prompt, session }: AdapterPayload): boolean =>
  kind !== 'Interaction' || (prompt?.name !== 'login' && session?.accountId !== undefined);

/** Codes, refresh tokens, waiting requests. */
const records = (ctx: Context, kind: string): Store => ({
  async upsert(secret, payload, expiresIn) {
    if (!isNeeded(kind, payload)) return;
    const grantUid = kind === 'Interaction' ? null : (payload.grantId ?? null);
    const expiresAt = getExpiry(ctx, expiresIn);
    const stored = await saveProviderRecord(ctx, { kind, secret, grantUid, payload: nameless(payload), expiresAt });
    if (!stored) throw revoked();
  },
  async find(secret) {
    const found = await findProviderRecord(ctx, kind, secret);
    if (!found) return undefined;
    const consumed = found.consumed_at ? { consumed: seconds(found.consumed_at.getTime()) } : {};
    return { ...found.payload, jti: secret, ...consumed, ...getTimes(ctx, found) };
  },
  async consume(secret) {
    if (await consumeProviderRecord(ctx, kind, secret)) return;
    // Two requests used the same code at the same time, and it is unknown which of them is the attacker's.
    const grant = await grantOfRecord(ctx, kind, secret);
    if (grant !== null) await revokeGrant(ctx, grant);
    throw new errors.InvalidGrant('already used');
  },
  destroy: (secret) => deleteProviderRecord(ctx, kind, secret),
});

/** Sessions are the service's own (`provider.ts`); the library stores none. */
const none: Store = { upsert: nothing, find: nothing, consume: nothing, destroy: nothing };

function getStore(ctx: Context, kind: string): Store {
  switch (kind) {
    case 'Client':
      return clients(ctx);
    case 'Grant':
      return grants(ctx);
    case 'AccessToken':
      return accessTokens(ctx);
    case 'AuthorizationCode':
    case 'RefreshToken':
    case 'Interaction':
      return records(ctx, kind);
    default:
      return none;
  }
}

/**
 * Where the provider library keeps one kind of its records: in the service's tables, by the service's clock.
 * @param context makes a context for each call: requests share none, since one may be in a transaction
 */
export function oauthAdapter(context: () => Context, kind: string): Adapter {
  return {
    upsert: (id, payload, expiresIn) => getStore(context(), kind).upsert(id, payload, expiresIn),
    find: (id) => getStore(context(), kind).find(id),
    consume: (id) => getStore(context(), kind).consume(id),
    destroy: (id) => getStore(context(), kind).destroy(id),
    findByUserCode: nothing,
    findByUid: nothing,
    // A grant takes everything of it along when it is destroyed, which always comes with this.
    revokeByGrantId: nothing,
  };
}
