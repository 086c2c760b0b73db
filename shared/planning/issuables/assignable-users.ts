import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { projectAccess, today } from '../../tenancy/access/access.js';
import { projectTables } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';

/**
 * That user `u` may read what lies in a feature of project `p` of namespace `n`, as a condition.
 * @param level of the feature: `enabled` or `private`
 */
export const mayReadIssuables = (ctx: Context, level: string): Fragment => sql`(
  u.admin
  or (p.visibility in ('public', 'internal') and ${level}::text <> 'private' and (p.visibility = 'public' or not u.external))
  or ${projectAccess(sql`u.id`, today(ctx))} >= 10)`;

/**
 * Those of some users who can be given work in a project: who may read it. Others are passed over, as the public API
 * does. In the order of their ids; without Premium only the first one that was given.
 * @param level of the project's feature that the work lies in: `enabled` or `private`
 */
export async function assignableUsers(
  ctx: Context,
  found: ProjectRecord,
  ids: readonly number[],
  level: string,
): Promise<UserSummary[]> {
  const given = [...new Set(ids.filter((id) => id > 0))];
  const wanted = ctx.hasPlan('premium') ? given : given.slice(0, 1);
  if (wanted.length === 0) return [];
  return ctx.query<UserSummary>(sql`
    select ${userSummaryColumns('u')} from ${projectTables} cross join users u
     where p.id = ${found.id} and u.id = any(${wanted}::bigint[]) and u.state in ('active', 'deactivated')
       and ${mayReadIssuables(ctx, level)}
     order by u.id`);
}
