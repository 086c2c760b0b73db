import type { Context } from '../../core/context/context.js';
import { Forbidden, InsufficientScope, Invalid } from '../../core/values/errors.js';
import type { PersonalAccessToken } from './personal-access-token.entity.js';

/** What only administrators have to give, and `api` does not hold. */
export const ADMINISTRATOR_SCOPES: readonly string[] = ['sudo', 'admin_mode'];

/** Scopes that a token lacks. `api` includes all except those of administrators. */
const lacking = (held: readonly string[], scopes: readonly string[]) =>
  scopes.filter((scope) => !held.includes(scope) && (ADMINISTRATOR_SCOPES.includes(scope) || !held.includes('api')));

/**
 * Checks whether the caller may create tokens at all, whatever their purpose: bots only the successor of their own; and
 * a token only tokens that do not exceed its own scopes (shared/core/decisions/0024-rights-of-tokens-over-tokens.md).
 * Sessions have no such limit.
 * @throws Forbidden, InsufficientScope with the scopes that the caller's token lacks
 */
export function requireMaker(ctx: Context, newToken: { scopes: readonly string[]; family_id?: number | null }): void {
  const { user, token } = ctx.caller;
  if (user?.bot && !newToken.family_id) throw new Forbidden();
  const missing = token ? lacking(token.scopes, newToken.scopes) : [];
  if (missing.length > 0) throw new InsufficientScope(missing);
}

/**
 * Callers cannot revoke or rotate a project or group token with a level above their own; a bot may do so with its own.
 * @param level the caller's access level in the token's project or group
 * @throws Invalid 400
 */
export function requireAccessLevelFor(
  ctx: Context,
  token: Pick<PersonalAccessToken, 'user_id' | 'access_level'>,
  level: number,
  action: 'rotate' | 'revoke',
): void {
  if (ctx.caller.admin || token.user_id === ctx.caller.id || (token.access_level ?? 0) <= level) return;
  throw new Invalid(`400 Bad request - Not eligible to ${action} token with access level higher than the user`);
}
