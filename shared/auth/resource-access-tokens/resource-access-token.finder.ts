import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import { containerTable } from '../../core/operations/container.js';
import type { ContainerRef } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { NotFound } from '../../core/values/errors.js';
import type { List } from '../../core/database/list.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { AuthDatabase } from '../auth.entities.js';
import { PersonalAccessToken } from '../personal-access-tokens/personal-access-token.entity.js';
import { onTokens } from '../personal-access-tokens/personal-access-token.finder.js';
import type { OfTokens } from '../personal-access-tokens/personal-access-token.finder.js';

const OWN_COLUMNS = Object.keys(PersonalAccessToken.meta.properties).filter(
  (name): name is Exclude<keyof PersonalAccessToken & string, 'access_level'> => name !== 'access_level',
);

/** Selects tokens `t` with the role that their bots have by now. */
const selectTokens = (query: SelectQueryBuilder<OfTokens, 't', object>, { kind, id }: ContainerRef) => {
  const { table, column } = containerTable(kind, 'members');
  return (
    query
      .leftJoin(`${table} as m`, (join) => join.onRef('m.user_id', '=', 't.user_id').on(`m.${column}`, '=', id))
      .select(columns(PersonalAccessToken, 't', OWN_COLUMNS))
      // A bot that lost its role with its token is shown with its original level.
      .select(({ fn }) => fn.coalesce('m.access_level', 't.access_level').as('access_level'))
  );
};

/** Tokens of a project or group, with the role that their bots have by now; filters are added to `where`. */
export function resourceAccessTokens(
  container: ContainerRef,
  where: readonly Expression<SqlBool>[] = [],
): List<PersonalAccessToken> {
  const { column } = containerTable(container.kind, 'members');
  const list: List<PersonalAccessToken> = {
    matching: expressionBuilder<AuthDatabase>()
      .selectFrom('personal_access_tokens as t')
      .where(`t.${column}`, '=', container.id),
    select: (query) => selectTokens(query, container),
    order: [byId('t', 'asc')],
  };
  return narrow(list, where);
}

/** @throws NotFound "404 project Access Token Not Found" */
export async function findResourceAccessToken(
  ctx: Context,
  container: ContainerRef,
  id: number,
): Promise<PersonalAccessToken> {
  const [token] = await readAll(ctx, resourceAccessTokens(container, [onTokens('t.id', '=', id)]));
  if (!token) throw NotFound.because(`${container.kind} Access Token Not Found`);
  return token;
}
