import { NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import type { List } from '../../core/list.js';
import { byId } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { columns, sql } from '../../core/sql.js';
import { OauthApplication } from './oauth-application.entity.js';

/** Every application of the instance, oldest first: for administrators, as the operations on them say. */
export function visibleOauthApplications(): List<OauthApplication> {
  return {
    select: columns(OauthApplication, 'a'),
    from: sql`oauth_applications a`,
    where: [],
    order: [byId('a', 'asc')],
  };
}

/** The subject of `/applications/:id…`. */
export const oauthApplication: Subject<OauthApplication> = {
  noun: 'Application',
  params: { id: integer().describe('Id of the application.') },
  async find(ctx, input: { id: number }) {
    const found = await ctx.queryOne<OauthApplication>(sql`
      select ${columns(OauthApplication, 'a')} from oauth_applications a where a.id = ${input.id}`);
    if (!found) throw new NotFound('Application');
    return found;
  },
};
