import { containerColumn, containerTable } from '../../core/container.js';
import type { ContainerRef } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import type { TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { PersonalAccessToken } from '../personal-access-tokens/personal-access-token.entity.js';

/** Tokens of a container, as a condition on `t`. */
const tokensOf = ({ kind, id }: ContainerRef): Fragment => sql`t.${containerColumn(kind)} = ${id}`;

const OWN_COLUMNS = Object.keys(PersonalAccessToken.meta.properties).filter((name) => name !== 'access_level');

/** Tokens of a project or group, with the role that their bots have by now; filters are added to `where`. */
export function resourceAccessTokens(
  container: ContainerRef,
  where: readonly Fragment[] = [],
): TextList<PersonalAccessToken> {
  const { table, column } = containerTable(container.kind, 'members');
  return {
    // A bot that lost its role with its token is shown with the one that it was given.
    select: sql`${textColumns(PersonalAccessToken, 't', '', OWN_COLUMNS)},
      coalesce(m.access_level, t.access_level) as "access_level"`,
    from: sql`personal_access_tokens t
      left join ${table} m on m.user_id = t.user_id and m.${column} = ${container.id}`,
    where: [tokensOf(container), ...where],
    order: [byId('t', 'asc')],
  };
}

/** @throws NotFound "404 project Access Token Not Found" */
export async function findResourceAccessToken(
  ctx: Context,
  container: ContainerRef,
  id: number,
): Promise<PersonalAccessToken> {
  const { select, from } = resourceAccessTokens(container);
  const token = await ctx.queryOne<PersonalAccessToken>(sql`
    select ${select} from ${from} where t.id = ${id} and ${tokensOf(container)}`);
  if (!token) throw NotFound.because(`${container.kind} Access Token Not Found`);
  return token;
}
