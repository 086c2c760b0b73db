import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import type { AuthDatabase } from '../auth.entities.js';
import { OauthApplication } from './oauth-application.entity.js';

type OfApplications = Aliased<AuthDatabase, { a: 'oauth_applications' }>;
const onApplications = expressionBuilder<OfApplications, 'a'>();

/** Applications in their order, oldest first. */
const applications = (where: Expression<SqlBool>): List<OauthApplication> => {
  const list: List<OauthApplication> = {
    matching: expressionBuilder<AuthDatabase>().selectFrom('oauth_applications as a'),
    select: (query: SelectQueryBuilder<OfApplications, 'a', object>) => query.select(columns(OauthApplication, 'a')),
    order: [byId('a', 'asc')],
  };
  return narrow(list, [where]);
};

/** Applications of the instance, which have no owner; the operations limit them to administrators. */
export const visibleOauthApplications = (): List<OauthApplication> =>
  applications(onApplications('a.owner_id', 'is', null));

/** A person's own. */
export const findApplications = (userId: number): List<OauthApplication> =>
  applications(onApplications('a.owner_id', '=', userId));

/** @throws NotFound "404 Application Not Found" */
async function findIn(ctx: Context, list: List<OauthApplication>, id: number) {
  const [found] = await readAll(ctx, narrow(list, [onApplications('a.id', '=', id)]));
  if (!found) throw new NotFound('Application');
  return found;
}

/** @throws NotFound also for another's */
export const findOwnApplication = (ctx: Context, userId: number, id: number): Promise<OauthApplication> =>
  findIn(ctx, findApplications(userId), id);

/** The resource of `/applications/:id…`. */
export const oauthApplication: Resource<OauthApplication> = {
  noun: 'Application',
  params: { id: integer().describe('ID of the application.') },
  find: (ctx, input: { id: number }) => findIn(ctx, visibleOauthApplications(), input.id),
};
