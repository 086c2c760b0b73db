import { randomBytes } from 'node:crypto';
import { ANONYMOUS } from '../../core/context/callers.js';
import { Context } from '../../core/context/context.js';
import type { OpenServices } from '../../core/context/open-services.js';
import { generateToken } from '../../core/values/secrets.js';
import { constant } from '../../core/database/expressions.js';
import type { AuthDatabase } from '../auth.entities.js';
import { insertUser } from '../../tenancy/users/create-user.js';
import { User } from '../../tenancy/users/user.entity.js';
import { insertToken, TOKEN_SCOPES } from '../personal-access-tokens/create-token.js';
import { onTokens } from '../personal-access-tokens/personal-access-token.finder.js';
import { revokeTokens } from '../personal-access-tokens/revoke-tokens.js';
import { keepInitialCredentials, openCredentials, readSealedCredentials } from './initial-credentials.js';
import type { InitialCredentials, SealedCredentials } from './initial-credentials.js';

/** Advisory lock held while creating the administrator. */
const LOCK = 7226502;

const newPassword = () => randomBytes(15).toString('base64url');
const newToken = () => generateToken('pat-');

async function insertInitialToken(ctx: Context, userId: number, plain: string): Promise<number> {
  const values = { user_id: userId, name: 'Initial root token', scopes: TOKEN_SCOPES, plain };
  return (await insertToken(ctx, values)).record.id;
}

async function createRoot(ctx: Context, env: NodeJS.ProcessEnv): Promise<InitialCredentials> {
  const password = env.INITIAL_ROOT_PASSWORD || newPassword();
  const token = env.INITIAL_ROOT_TOKEN || newToken();
  const root = await insertUser(ctx, {
    username: 'root',
    name: 'Administrator',
    email: 'admin@example.com',
    admin: true,
    password_digest: await ctx.services.passwords.hash(password),
  });
  const tokenId = await insertInitialToken(ctx, root.id, token);
  const credentials = {
    token: env.INITIAL_ROOT_TOKEN ? null : token,
    password: env.INITIAL_ROOT_PASSWORD ? null : password,
  };
  await keepInitialCredentials(ctx, {
    userId: root.id,
    tokenId: credentials.token === null ? null : tokenId,
    ...credentials,
  });
  return credentials;
}

/** Replaces what was made and has expired without ever being used. */
async function renewCredentials(ctx: Context, credentials: SealedCredentials): Promise<InitialCredentials> {
  const { user_id: userId, token_id: oldToken } = credentials;
  const password = credentials.password_made ? newPassword() : null;
  if (password !== null) {
    const digest = await ctx.services.passwords.hash(password);
    await ctx.em.nativeUpdate(User, { id: userId }, { password_digest: digest, updated_at: ctx.clock.now() });
  }
  const token = oldToken !== null && !credentials.token_revoked ? newToken() : null;
  if (token !== null) await revokeTokens(ctx, onTokens('t.id', '=', oldToken));
  const tokenId = token === null ? oldToken : await insertInitialToken(ctx, userId, token);
  await keepInitialCredentials(ctx, { userId, tokenId, password, token });
  return { password, token };
}

/**
 * Creates the administrator `root`, unless any user exists. If an earlier start created it and its password and token
 * have not been used, they may never have been seen: returns them again, or new ones after a day. Concurrent processes
 * create only one administrator.
 * @returns the credentials to show; null if they are already known
 */
export async function ensureAdministrator(
  services: OpenServices,
  env: NodeJS.ProcessEnv,
): Promise<InitialCredentials | null> {
  const ctx = new Context(services, ANONYMOUS);
  return ctx.transaction(async () => {
    const db = ctx.em.getKysely<AuthDatabase>();
    await db.selectNoFrom(({ fn, lit }) => fn('pg_advisory_xact_lock', [lit(LOCK)]).as('locked')).execute();
    const found = await db.selectFrom('users').select('id').limit(constant(1)).executeTakeFirst();
    if (!found) return createRoot(ctx, env);
    const credentials = await readSealedCredentials(ctx);
    if (!credentials || credentials.used) return null;
    return openCredentials(ctx, credentials) ?? renewCredentials(ctx, credentials);
  });
}
