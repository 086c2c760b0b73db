import { containerOfRow } from '../../core/operations/container.js';
import { ANONYMOUS } from '../../core/context/callers.js';
import { Context } from '../../core/context/context.js';
import type { Origin, Services } from '../../core/context/context.js';
import { Forbidden, Invalid } from '../../core/values/errors.js';
import { day, optional } from '../../core/operations/fields.js';
import { constant } from '../../core/database/expressions.js';
import type { AuthDatabase } from '../auth.entities.js';
import { today } from '../../tenancy/namespaces/access.js';
import { recordRevoked, recordToken } from './record-tokens.js';
import { insertToken } from './create-token.js';
import { onTokens } from './personal-access-token.finder.js';
import type { PersonalAccessToken } from './personal-access-token.entity.js';
import type { PlainToken } from './personal-access-token.serializer.js';
import { dismissBots, revokeTokens } from './revoke-tokens.js';
import { requireAccessLevelFor } from './token-rights.js';
import { daysFromNow, expiryProblem } from './token-values.js';

/** Default lifetime of a new token. */
const DEFAULT_DAYS = 7;

/** Parameters of rotating a token, whatever its kind. */
export const rotateParams = {
  expires_at: optional(day()).describe('Date when the new token expires, at 00:00 UTC. Defaults to one week from now.'),
};

/** The id of the first token of a family, from the id of any of its tokens. */
const getFamily = (id: number) =>
  onTokens
    .selectFrom('personal_access_tokens as used')
    .select(({ fn }) => fn.coalesce('used.family_id', 'used.id').as('id'))
    .where('used.id', '=', id);

/**
 * Serializes changes to a family: a revocation of the family sees every token that a concurrent rotation creates.
 * @param id any token of the family
 */
async function lockFamily(ctx: Context, id: number): Promise<void> {
  await ctx.em
    .getKysely<AuthDatabase>()
    .selectFrom('personal_access_tokens as root')
    .select('root.id')
    .where('root.id', '=', getFamily(id))
    .forUpdate()
    .execute();
}

/**
 * A bot's role expires with its token and is extended to the expiry of the next one. A removed role is not restored.
 */
async function prolongRole(ctx: Context, botId: number, expiresOn: string): Promise<void> {
  const prolonged = { expires_on: expiresOn };
  await ctx.em
    .getKysely<AuthDatabase>()
    .with('in_projects', (db) => db.updateTable('project_members').set(prolonged).where('user_id', '=', botId))
    .with('in_groups', (db) => db.updateTable('group_members').set(prolonged).where('user_id', '=', botId))
    .selectNoFrom(constant(1).as('done'))
    .execute();
}

/**
 * Revokes a token and creates its successor: same name, scopes, owner and container, new secret. An OAuth access token
 * ends with its grant, so it cannot rotate tokens.
 * @param level the caller's access level, for a token of a project or group
 * @throws Forbidden, InsufficientScope, Invalid for callers without permission, and Invalid for a token that is no
 * longer valid and for an invalid expiry date
 */
export async function rotateToken(
  ctx: Context,
  token: PersonalAccessToken,
  expiresAt: string | undefined,
  level = 0,
): Promise<PlainToken> {
  if (ctx.caller.token?.kind === 'oauth') throw new Forbidden();
  requireAccessLevelFor(ctx, token, level, 'rotate');
  const expires_on = expiresAt ?? daysFromNow(ctx, DEFAULT_DAYS);
  const problem = expiryProblem(ctx, expires_on);
  if (problem !== null) throw new Invalid(`400 Bad request - ${problem}`);
  if (typeof token.expires_on === 'string' && token.expires_on <= today(ctx))
    throw new Invalid('400 Bad request - token already expired');
  await lockFamily(ctx, token.id);
  const revoked = await revokeTokens(ctx, onTokens('t.id', '=', token.id));
  if (revoked.length === 0) throw new Invalid('400 Bad request - token already revoked');
  const { record, plain } = await insertToken(ctx, { ...token, family_id: token.family_id ?? token.id, expires_on });
  if (containerOfRow(token)) await prolongRole(ctx, token.user_id, expires_on);
  await recordToken(ctx, 'rotated', record.id);
  return { ...record, plain };
}

/**
 * Revokes the family of a revoked token that was sent for rotation: a third party may have the newest one. Runs in its
 * own transaction, so that refusing the request does not roll it back.
 */
export async function revokeReused(services: Services, tokenId: number, origin: Origin): Promise<void> {
  const ctx = new Context(services, ANONYMOUS, origin);
  await ctx.transaction(async () => {
    await lockFamily(ctx, tokenId);
    const family = onTokens.fn.coalesce('t.family_id', 't.id');
    const revoked = await revokeTokens(ctx, onTokens(family, '=', getFamily(tokenId)));
    if (revoked.length === 0) return;
    await dismissBots(ctx, revoked);
    await recordRevoked(ctx, revoked, 'reused');
    ctx.log.warn({ token_ids: revoked, correlation_id: origin.requestId }, 'token.reused');
  });
}
