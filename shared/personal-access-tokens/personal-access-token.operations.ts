import type { Context } from '../core/context.js';
import { Invalid, Unauthenticated } from '../core/errors.js';
import { clearableText, day, list, maybe, oneOf, text } from '../core/fields.js';
import { can, instance, operation } from '../core/operation.js';
import { sql } from '../core/sql.js';
import { today } from '../members/access.js';
import { userById } from '../users/user.finder.js';
import { userPolicy } from '../users/user.policy.js';
import { insertToken, TOKEN_SCOPES } from './create-token.js';
import type { PersonalAccessToken } from './personal-access-token.entity.js';
import { tokenConditions, tokenFilterParams, tokenOrder } from './personal-access-token.filters.js';
import { ownToken, personalAccessToken, visiblePersonalAccessTokens } from './personal-access-token.finder.js';
import { personalAccessTokenPolicy } from './personal-access-token.policy.js';
import type { PlainToken } from './personal-access-token.shape.js';

/** A token may live this long at most. */
const MAX_DAYS = 365;
const DAY_MS = 86_400_000;

/** List tokens: one's own, for administrators everybody's. */
export const listPersonalAccessTokens = operation({
  summary: 'List personal access tokens',
  subject: instance,
  kind: 'read',
  statements: 3,
  params: tokenFilterParams,
  run(ctx, _instance, input) {
    if (input.user_id !== undefined && input.user_id !== ctx.caller.id && !ctx.caller.admin)
      throw new Unauthenticated();
    return Promise.resolve({
      ...visiblePersonalAccessTokens(ctx, tokenConditions(ctx, input)),
      order: tokenOrder(input.sort),
    });
  },
});

/** Read one token, without the token itself. */
export const getPersonalAccessToken = operation({
  summary: 'Read a personal access token',
  subject: personalAccessToken,
  kind: 'read',
  statements: 2,
  run: (_ctx, token) => Promise.resolve(token),
});

/** Read the token that the request is sent with: any scope suffices for a token to look at itself. */
export const getOwnToken = operation({
  summary: 'Read the token in use',
  subject: ownToken,
  kind: 'read',
  scopes: TOKEN_SCOPES,
  statements: 2,
  run: (_ctx, token) => Promise.resolve(token),
});

/** @throws Invalid for a token that is revoked already */
async function revoke(ctx: Context, token: PersonalAccessToken): Promise<void> {
  const revoked = await ctx.query(sql`
    update personal_access_tokens set revoked = true, updated_at = ${ctx.clock.now()}
     where id = ${token.id} and not revoked returning id`);
  if (revoked.length === 0) throw new Invalid('400 Bad request');
  ctx.afterCommit(() => ctx.services.forgetCallers());
}

/** Revoke a token: it is refused from the next request on. */
export const revokePersonalAccessToken = operation({
  summary: 'Revoke a personal access token',
  subject: personalAccessToken,
  can: can(personalAccessTokenPolicy, 'revoke_personal_access_token'),
  kind: 'write',
  conditional: true,
  run: revoke,
});

/** Revoke the token that the request is sent with, whatever its scopes. */
export const revokeOwnToken = operation({
  summary: 'Revoke the token in use',
  subject: ownToken,
  kind: 'write',
  scopes: TOKEN_SCOPES,
  conditional: true,
  run: revoke,
});

/** The sentence for what is wrong with a token's values, or null (core-resources.md section 2). */
function problemOf(given: { name: string; scopes: readonly string[] }): string | null {
  if (given.name.trim() === '') return "Name can't be blank";
  if (given.name.length > 255) return 'Name is too long (maximum is 255 characters)';
  return given.scopes.length === 0 ? "Scopes can't be blank" : null;
}

function expiryProblem(ctx: Context, expiresOn: string | undefined): string | null {
  if (expiresOn === undefined)
    return ctx.settings.require_personal_access_token_expiry ? "Expiration date can't be blank" : null;
  const last = new Date(ctx.clock.now().getTime() + MAX_DAYS * DAY_MS).toISOString().slice(0, 10);
  if (expiresOn > last) return `Expiration date must be on or before ${last}`;
  return expiresOn < today(ctx) ? 'Expiration date must be in the future' : null;
}

/** Create a token for a user: administrators. The answer is the only place that ever shows it. */
export const createTokenForUser = operation({
  summary: 'Create a personal access token for a user',
  subject: userById,
  can: can(userPolicy, 'create_personal_access_token'),
  kind: 'write',
  params: {
    name: text().describe('Name of the token.'),
    description: clearableText().describe('What it is for.'),
    scopes: list(oneOf(TOKEN_SCOPES), { commas: true }).describe('What the token opens.'),
    expires_at: maybe(day()).describe('The token ends when this day begins, UTC.'),
  },
  async run(ctx, found, input): Promise<PlainToken> {
    const problem = problemOf(input);
    if (problem !== null) throw new Invalid(problem, 422);
    const expiry = expiryProblem(ctx, input.expires_at);
    if (expiry !== null) throw new Invalid(expiry);
    const { record, plain } = await insertToken(ctx, {
      user_id: found.id,
      name: input.name,
      description: input.description ?? null,
      scopes: [...new Set(input.scopes)],
      expires_on: input.expires_at ?? null,
    });
    return { ...record, plain };
  },
});
