import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { projectAccess, today } from '../../tenancy/namespaces/access.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import type { PlanningDatabase } from '../planning.entities.js';

type OfReaders = Aliased<PlanningDatabase, { u: 'users'; p: 'projects' }>;

/**
 * That user `u` may read what lies in a feature of project `p` of namespace `n`, as a condition.
 * @param level of the feature: `enabled` or `private`
 */
export function mayReadIssuables(ctx: Context, level: string): Expression<SqlBool> {
  const eb = expressionBuilder<OfReaders, 'p' | 'u'>();
  const isPublic = eb('p.visibility', '=', constant('public'));
  const open = eb.and([
    eb('p.visibility', 'in', [constant('public'), constant('internal')]),
    eb.or([isPublic, eb.not(eb.ref('u.external'))]),
  ]);
  const member = eb(projectAccess(eb.ref('u.id'), today(ctx)), '>=', constant(ACCESS_LEVELS.guest));
  return eb.or([eb.ref('u.admin'), ...(level === 'private' ? [] : [open]), member]);
}

/**
 * The users among `ids` who can be assigned work in a project, that is, who can read it. Others are ignored, as in the
 * public API. Ordered by id; without Premium, only the first one passed.
 * @param level of the project feature that the work belongs to: `enabled` or `private`
 */
export async function assignableUsers(
  ctx: Context,
  found: ProjectRecord,
  ids: readonly number[],
  level: string,
): Promise<UserSummary[]> {
  const userIds = [...new Set(ids.filter((id) => id > 0))];
  const assigneeIds = ctx.hasPlan('premium') ? userIds : userIds.slice(0, 1);
  if (assigneeIds.length === 0) return [];
  return ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('projects as p')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .crossJoin('users as u')
    .select(columns(User, 'u', USER_SUMMARY))
    .where('p.id', '=', found.id)
    .where('u.id', '=', anyOf(assigneeIds, 'bigint'))
    .where('u.state', 'in', [constant('active'), constant('deactivated')])
    .where(mayReadIssuables(ctx, level))
    .orderBy('u.id')
    .execute();
}
