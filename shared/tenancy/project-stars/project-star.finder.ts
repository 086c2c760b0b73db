import type { UserSummary } from '../users/user.record.js';
import type { Context } from '../../core/context.js';
import type { TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import { likeLiteral, sql, textColumns } from '../../core/sql.js';
import { userSummaryColumns } from '../users/user.finder.js';
import { ProjectStar } from './project-star.entity.js';

/** A star with the user who gave it. */
export interface StarRecord extends ProjectStar {
  user: UserSummary;
}

/**
 * The stars of a project, the first one first. Who keeps their profile to themselves shows their stars to
 * administrators alone, here as in the list of what they starred.
 */
export function starsOf(ctx: Context, found: { id: number }, search: string | undefined): TextList<StarRecord> {
  const where = [sql`s.project_id = ${found.id}`];
  if (!ctx.caller.admin)
    where.push(sql`u.id = ${ctx.caller.id} or not exists (
      select 1 from user_profiles up where up.user_id = u.id and up.private_profile)`);
  if (search !== undefined && search !== '') {
    const pattern = `%${likeLiteral(search)}%`;
    where.push(sql`u.name ilike ${pattern} or u.username ilike ${pattern}`);
  }
  return {
    select: sql`${textColumns(ProjectStar, 's')}, ${userSummaryColumns('u', 'user.')}`,
    from: sql`project_stars s join users u on u.id = s.user_id`,
    where,
    order: [byId('s', 'asc')],
  };
}
