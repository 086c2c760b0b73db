import type { Context } from '../../core/context.js';
import { NotFound, Unauthenticated } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import type { TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { PersonalAccessToken } from './personal-access-token.entity.js';
import { personalAccessTokenPolicy } from './personal-access-token.policy.js';

/** Tokens that the caller may see: their own, for administrators everybody's. Filters are added to `where`. */
export function visiblePersonalAccessTokens(
  ctx: Context,
  where: readonly Fragment[] = [],
): TextList<PersonalAccessToken> {
  return {
    select: textColumns(PersonalAccessToken, 't'),
    from: sql`personal_access_tokens t`,
    where: [ctx.caller.admin ? sql`true` : sql`t.user_id = ${ctx.caller.id}`, ...where],
    order: [byId('t', 'asc')],
  };
}

const readToken = (ctx: Context, id: number): Promise<PersonalAccessToken | null> =>
  ctx.queryOne<PersonalAccessToken>(sql`
    select ${textColumns(PersonalAccessToken, 't')} from personal_access_tokens t where t.id = ${id}`);

/** @throws Unauthenticated for somebody else's and for missing ones alike; only administrators are told NotFound */
async function findToken(ctx: Context, id: number): Promise<PersonalAccessToken> {
  const token = await readToken(ctx, id);
  if (token && personalAccessTokenPolicy.read_personal_access_token(ctx.caller, token)) return token;
  throw ctx.caller.admin ? NotFound.unspecified() : new Unauthenticated();
}

/** The subject of `/personal_access_tokens/:id…`. */
export const personalAccessToken: Subject<PersonalAccessToken> = {
  noun: 'Personal Access Token',
  params: { id: integer().describe('Id of the token.') },
  find: (ctx, input: { id: number }) => findToken(ctx, input.id),
};

/** The token that the request was sent with, whatever its kind: who holds it may look at it and end it. */
export const ownToken: Subject<PersonalAccessToken> = {
  noun: 'Personal Access Token',
  params: {},
  async find(ctx) {
    const token = ctx.caller.token;
    // A session, and what an application holds, are no tokens of this kind.
    if (token?.kind !== 'access') throw new Unauthenticated();
    const found = await readToken(ctx, token.id);
    if (!found) throw new Unauthenticated();
    return found;
  },
};
