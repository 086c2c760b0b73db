import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import type { List } from '../../core/list.js';
import { byId } from '../../core/list.js';
import { columns, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { PersonalAccessToken } from '../personal-access-tokens/personal-access-token.entity.js';
import { membersOf, tokensOf } from './token-place.js';
import type { TokenPlace } from './token-place.js';

const OWN_COLUMNS = Object.keys(PersonalAccessToken.meta.properties).filter((name) => name !== 'access_level');

/** Tokens of a project or group, with the role that their bots have by now; filters are added to `where`. */
export function resourceAccessTokens(place: TokenPlace, where: readonly Sql[] = []): List<PersonalAccessToken> {
  const { table, column } = membersOf(place);
  return {
    // A bot that lost its role with its token is shown with the one that it was given.
    select: sql`${columns(PersonalAccessToken, 't', '', OWN_COLUMNS)},
      coalesce(m.access_level, t.access_level) as "access_level"`,
    from: sql`personal_access_tokens t
      left join ${table} m on m.user_id = t.user_id and m.${column} = ${place.id}`,
    where: [tokensOf(place), ...where],
    order: [byId('t', 'asc')],
  };
}

/** @throws NotFound "404 project Access Token Not Found" */
export async function findResourceAccessToken(
  ctx: Context,
  place: TokenPlace,
  id: number,
): Promise<PersonalAccessToken> {
  const { select, from } = resourceAccessTokens(place);
  const token = await ctx.queryOne<PersonalAccessToken>(sql`
    select ${select} from ${from} where t.id = ${id} and ${tokensOf(place)}`);
  if (!token) throw NotFound.because(`${place.kind} Access Token Not Found`);
  return token;
}
