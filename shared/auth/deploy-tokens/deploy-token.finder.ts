import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import { containerTable } from '../../core/operations/container.js';
import type { ContainerRef } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import { NotFound } from '../../core/values/errors.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { AuthDatabase } from '../auth.entities.js';
import { User } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import { DeployToken } from './deploy-token.entity.js';
import type { DeployTokenRecord } from './deploy-token.entity.js';
import { onDeployTokens } from './deploy-token-state.js';
import type { OfDeployTokens } from './deploy-token-state.js';

/** The digest stays in the database. */
const VISIBLE_COLUMNS = Object.keys(DeployToken.meta.properties).filter(
  (name): name is Exclude<keyof DeployToken & string, 'digest'> => name !== 'digest',
);

const selectTokens = <O>(query: SelectQueryBuilder<OfDeployTokens, 't', O>) =>
  query
    .leftJoin('users as c', 'c.id', 't.created_by_id')
    .select([
      ...columns(DeployToken, 't', VISIBLE_COLUMNS),
      ...nestedOrNull('created_by', User, 'c', { only: USER_SUMMARY }),
    ]);

/** Tokens of this very container, none of those above or below, as a condition on `t`. */
export const isTokenOfContainer = ({ kind, id }: ContainerRef): Expression<SqlBool> =>
  onDeployTokens(`t.${containerTable(kind, 'deploy_tokens').column}`, '=', id);

/** The tokens that conditions on `t` name, the oldest first (deploy-tokens.md section 4.2). */
export function deployTokens(where: readonly Expression<SqlBool>[]): List<DeployTokenRecord> {
  const list: List<DeployTokenRecord> = {
    matching: expressionBuilder<AuthDatabase>().selectFrom('deploy_tokens as t'),
    select: selectTokens,
    order: [byId('t', 'asc')],
  };
  return narrow(list, where);
}

/** A token of a project or group by its id. @throws NotFound "404 Not found", also for one of another container */
export async function findDeployTokenOf(ctx: Context, container: ContainerRef, id: number): Promise<DeployTokenRecord> {
  const [token] = await readAll(ctx, deployTokens([onDeployTokens('t.id', '=', id), isTokenOfContainer(container)]));
  if (!token) throw new NotFound();
  return token;
}
