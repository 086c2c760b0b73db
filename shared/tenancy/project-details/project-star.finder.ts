import { expressionBuilder } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import { User } from '../users/user.entity.js';
import type { UserSummary } from '../users/user.entity.js';
import type { Context } from '../../core/context/context.js';
import { columns, nested } from '../../core/database/columns.js';
import type { Aliased } from '../../core/database/tables.js';
import type { List } from '../../core/database/list.js';
import { byId } from '../../core/database/list.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { userMatchesName, USER_SUMMARY } from '../users/user.finder.js';
import { ProjectStar } from './project-star.entity.js';

/** A star with the user who gave it. */
export interface StarRecord extends ProjectStar {
  user: UserSummary;
}

type StarQuery = SelectQueryBuilder<Aliased<TenancyDatabase, { s: 'project_stars'; u: 'users' }>, 's' | 'u', object>;

/**
 * The stars of a project, the first one first. Who keeps their profile to themselves shows their stars to
 * administrators alone, here as in the list of what they starred.
 */
export function findStars(ctx: Context, found: { id: number }, search: string | undefined): List<StarRecord> {
  let matching = expressionBuilder<TenancyDatabase>()
    .selectFrom('project_stars as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .where('s.project_id', '=', found.id);
  if (!ctx.caller.admin)
    matching = matching.where((eb) => {
      const privateProfile = eb
        .selectFrom('user_profiles as up')
        .select(eb.lit(1).as('one'))
        .whereRef('up.user_id', '=', 'u.id')
        .where((of) => of.ref('up.private_profile'));
      return eb.or([eb('u.id', '=', ctx.caller.id), eb.not(eb.exists(privateProfile))]);
    });
  if (search !== undefined && search !== '') matching = matching.where(userMatchesName(search));
  return {
    matching,
    select: (query: StarQuery) =>
      query.select([...columns(ProjectStar, 's'), ...nested('user', User, 'u', { only: USER_SUMMARY })]),
    order: [byId('s', 'asc')],
  };
}
