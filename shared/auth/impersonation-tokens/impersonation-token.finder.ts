import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import type { TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { PersonalAccessToken } from '../personal-access-tokens/personal-access-token.entity.js';
import { findUser, userById } from '../../tenancy/users/user.finder.js';

/** Tokens with which administrators act as a user; filters are added to `where`. */
export function impersonationTokensOf(userId: number, where: readonly Fragment[] = []): TextList<PersonalAccessToken> {
  return {
    select: textColumns(PersonalAccessToken, 't'),
    from: sql`personal_access_tokens t`,
    where: [sql`t.user_id = ${userId}`, sql`t.impersonation`, ...where],
    order: [byId('t', 'asc')],
  };
}

async function findToken(ctx: Context, input: { user_id: number; impersonation_token_id: number }) {
  const user = await findUser(ctx, input.user_id);
  const { select, from } = impersonationTokensOf(user.id);
  const token = await ctx.queryOne<PersonalAccessToken>(sql`
    select ${select} from ${from}
     where t.id = ${input.impersonation_token_id} and t.user_id = ${user.id} and t.impersonation`);
  if (!token) throw new NotFound('Impersonation Token');
  return token;
}

/** The subject of `/users/:user_id/impersonation_tokens/:impersonation_token_id`: for administrators, by its gate. */
export const impersonationToken: Subject<PersonalAccessToken> = {
  noun: 'Impersonation Token',
  params: { ...userById.params, impersonation_token_id: integer().describe('Id of the token.') },
  find: (ctx, input) => findToken(ctx, input as { user_id: number; impersonation_token_id: number }),
};
