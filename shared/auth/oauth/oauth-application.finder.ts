import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import type { TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { and, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { OauthApplication } from './oauth-application.entity.js';

/** Applications in their order, oldest first. */
const applications = (where: Fragment): TextList<OauthApplication> => ({
  select: textColumns(OauthApplication, 'a'),
  from: sql`oauth_applications a`,
  where: [where],
  order: [byId('a', 'asc')],
});

/** Those of the instance, which are nobody's own: for administrators, as the operations on them say. */
export const visibleOauthApplications = (): TextList<OauthApplication> => applications(sql`a.owner_id is null`);

/** A person's own. */
export const applicationsOf = (userId: number): TextList<OauthApplication> => applications(sql`a.owner_id = ${userId}`);

/** @throws NotFound "404 Application Not Found" */
async function findIn(ctx: Context, { select, from, where }: TextList<OauthApplication>, id: number) {
  const found = await ctx.queryOne<OauthApplication>(sql`
    select ${select} from ${from} where ${and([...where, sql`a.id = ${id}`])}`);
  if (!found) throw new NotFound('Application');
  return found;
}

/** @throws NotFound also for another's */
export const findOwnApplication = (ctx: Context, userId: number, id: number): Promise<OauthApplication> =>
  findIn(ctx, applicationsOf(userId), id);

/** The subject of `/applications/:id…`. */
export const oauthApplication: Subject<OauthApplication> = {
  noun: 'Application',
  params: { id: integer().describe('Id of the application.') },
  find: (ctx, input: { id: number }) => findIn(ctx, visibleOauthApplications(), input.id),
};
