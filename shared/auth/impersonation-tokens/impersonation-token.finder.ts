import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { narrow, readAll } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import type { PersonalAccessToken } from '../personal-access-tokens/personal-access-token.entity.js';
import { onTokens, personalAccessTokens } from '../personal-access-tokens/personal-access-token.finder.js';
import { findUser, userById } from '../../tenancy/users/user.finder.js';

/** Tokens with which administrators act as a user; filters are added to `where`. */
export const findImpersonationTokens = (
  userId: number,
  where: readonly Expression<SqlBool>[] = [],
): List<PersonalAccessToken> =>
  narrow(personalAccessTokens, [
    onTokens('t.user_id', '=', userId),
    onTokens('t.impersonation', '=', constant(true)),
    ...where,
  ]);

async function findToken(ctx: Context, input: { user_id: number; impersonation_token_id: number }) {
  const user = await findUser(ctx, input.user_id);
  const hasId = onTokens('t.id', '=', input.impersonation_token_id);
  const [token] = await readAll(ctx, findImpersonationTokens(user.id, [hasId]));
  if (!token) throw new NotFound('Impersonation Token');
  return token;
}

/** The resource of `/users/:user_id/impersonation_tokens/:impersonation_token_id`: for administrators, by its authentication requirement. */
export const impersonationToken: Resource<PersonalAccessToken> = {
  noun: 'Impersonation Token',
  params: { ...userById.params, impersonation_token_id: integer().describe('ID of the token.') },
  find: (ctx, input) => findToken(ctx, input as { user_id: number; impersonation_token_id: number }),
};
