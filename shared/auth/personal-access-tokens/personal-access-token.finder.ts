import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound, Unauthenticated } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { byId, narrow } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import type { AuthDatabase } from '../auth.entities.js';
import { PersonalAccessToken } from './personal-access-token.entity.js';
import { personalAccessTokenPolicy } from './personal-access-token.policy.js';

/** Access tokens `t`, as conditions name them. */
export type OfTokens = Aliased<AuthDatabase, { t: 'personal_access_tokens' }>;

/** Builds conditions on access tokens `t`. */
export const onTokens = expressionBuilder<OfTokens, 't'>();

const selectTokens = <O>(query: SelectQueryBuilder<OfTokens, 't', O>) =>
  query.select(columns(PersonalAccessToken, 't'));

/** All access tokens, oldest first. Checks no permissions. */
export const personalAccessTokens: List<PersonalAccessToken> = {
  matching: expressionBuilder<AuthDatabase>().selectFrom('personal_access_tokens as t'),
  select: selectTokens,
  order: [byId('t', 'asc')],
};

/** Tokens that the caller may see: their own, for administrators everybody's. Filters are added to `where`. */
export function visiblePersonalAccessTokens(
  ctx: Context,
  where: readonly Expression<SqlBool>[] = [],
): List<PersonalAccessToken> {
  const own = ctx.caller.admin ? [] : [onTokens('t.user_id', '=', ctx.caller.id)];
  return narrow(personalAccessTokens, [...own, ...where]);
}

const loadToken = prepareQuery<AuthDatabase, { id: number }, PersonalAccessToken>((db, { id }) =>
  selectTokens(db.selectFrom('personal_access_tokens as t')).where('t.id', '=', id),
);

/**
 * @throws Unauthenticated for tokens of other users and missing ones without distinction; only administrators get
 * NotFound
 */
async function findToken(ctx: Context, id: number): Promise<PersonalAccessToken> {
  const [token] = await loadToken(ctx, { id });
  if (token && personalAccessTokenPolicy.read_personal_access_token(ctx.caller, token)) return token;
  throw ctx.caller.admin ? NotFound.unspecified() : new Unauthenticated();
}

/** The resource of `/personal_access_tokens/:id…`. */
export const personalAccessToken: Resource<PersonalAccessToken> = {
  noun: 'Personal Access Token',
  params: { id: integer().describe('ID of the token.') },
  find: (ctx, input: { id: number }) => findToken(ctx, input.id),
};

/** The token that the request was sent with, whatever its kind: who holds it may look at it and end it. */
export const ownToken: Resource<PersonalAccessToken> = {
  noun: 'Personal Access Token',
  params: {},
  async find(ctx) {
    const token = ctx.caller.token;
    // Sessions and OAuth access tokens are not personal access tokens.
    if (token?.kind !== 'access') throw new Unauthenticated();
    const [found] = await loadToken(ctx, { id: token.id });
    if (!found) throw new Unauthenticated();
    return found;
  },
};
