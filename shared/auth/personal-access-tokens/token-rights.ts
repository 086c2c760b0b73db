import type { Context } from '../../core/context/context.js';
import { Forbidden, InsufficientScope, Invalid } from '../../core/values/errors.js';
import type { PersonalAccessToken } from './personal-access-token.entity.js';

/** What only administrators have to give, and `api` does not hold. */
export const ADMINISTRATOR_SCOPES: readonly string[] = ['sudo', 'admin_mode'];

/** Scopes that a token does not hold. `api` holds them all but those of administrators. */
const lacking = (held: readonly string[], scopes: readonly string[]) =>
  scopes.filter((scope) => !held.includes(scope) && (ADMINISTRATOR_SCOPES.includes(scope) || !held.includes('api')));

/**
 * Who may make a token at all, whatever it is for: no bot, but for the successor of its own; and with a token no other
 * that opens more than it does (shared/core/decisions/0024-rights-of-tokens-over-tokens.md). Sessions open everything.
 * @throws Forbidden, InsufficientScope with the scopes that the caller's token lacks
 */
export function requireMaker(ctx: Context, newToken: { scopes: readonly string[]; family_id?: number | null }): void {
  const { user, token } = ctx.caller;
  if (user?.bot && !newToken.family_id) throw new Forbidden();
  const missing = token ? lacking(token.scopes, newToken.scopes) : [];
  if (missing.length > 0) throw new InsufficientScope(missing);
}

/**
 * Nobody ends or renews a project's or group's token of a higher level than their own; a bot its own.
 * @param level the caller's in the place that the token is of
 * @throws Invalid 400
 */
export function requireLevelOf(
  ctx: Context,
  token: Pick<PersonalAccessToken, 'user_id' | 'access_level'>,
  level: number,
  action: 'rotate' | 'revoke',
): void {
  if (ctx.caller.admin || token.user_id === ctx.caller.id || (token.access_level ?? 0) <= level) return;
  throw new Invalid(`400 Bad request - Not eligible to ${action} token with access level higher than the user`);
}
