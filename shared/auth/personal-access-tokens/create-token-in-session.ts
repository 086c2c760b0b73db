import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { instance, operation } from '../../core/operations/operation.js';
import { createToken } from './create-personal-access-token.js';
import { TOKEN_SCOPES, SCOPE_DESCRIPTIONS } from './create-token.js';
import { inSession } from './personal-access-token.policy.js';
import { ADMINISTRATOR_SCOPES } from './token-rights.js';
import { newTokenParams } from './token-values.js';

/** Whether the caller has a scope to give. */
export const isAvailable = (ctx: Context, scope: string): boolean =>
  ctx.caller.admin || !ADMINISTRATOR_SCOPES.includes(scope);

/** The scopes that the caller may grant to their own tokens, with descriptions. */
export const listAvailableScopes = operation({
  name: 'listAvailableScopes',
  summary: 'List the scopes available for your tokens',
  resource: instance,
  kind: 'read',
  can: inSession,
  run: (ctx) =>
    Promise.resolve(
      TOKEN_SCOPES.filter((scope) => isAvailable(ctx, scope)).map((name) => ({
        name,
        description: SCOPE_DESCRIPTIONS[name],
      })),
    ),
});

/**
 * Create a token for the caller, with any scope that the caller may grant. Requires a session. Only this response ever
 * shows it.
 * @throws Invalid 422 for name and scopes, 400 for the expiry date (core-resources.md section 2)
 */
export const createTokenInSession = operation({
  name: 'createTokenInSession',
  summary: 'Create a personal access token with any scope',
  resource: instance,
  kind: 'write',
  can: inSession,
  params: newTokenParams,
  run(ctx, _instance, input) {
    if (!input.scopes.every((scope) => isAvailable(ctx, scope)))
      throw new Invalid('Scopes can only contain available scopes', 422);
    return createToken(ctx, ctx.caller.user.id, input);
  },
});
