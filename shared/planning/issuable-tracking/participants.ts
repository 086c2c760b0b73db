import type { Context } from '../../core/context.js';
import { byId } from '../../core/list.js';
import type { List } from '../../core/list.js';
import { join, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { projectTables } from '../../tenancy/projects/project.finder.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import { mayReadIssuables } from '../issuables/assignable-users.js';
import type { IssuableType } from '../issuables/issuable-type.js';

interface Taken {
  readonly id: number;
  readonly project_id: number;
  readonly author_id?: number | null | undefined;
}

/**
 * Who took part in a record: author, assignees and whom it names, as far as they still may read it.
 * @param level of the project's feature that it lies in
 * @param more ids of others, each as a select
 */
export function participantsIn(
  ctx: Context,
  { assignees, mentions, column }: IssuableType,
  { id, project_id, author_id }: Taken,
  level: string,
  more: readonly Sql[] = [],
): List<UserSummary> {
  const all = [
    sql`select ${author_id ?? 0}::bigint`,
    sql`select x.user_id from ${assignees} x where x.${column} = ${id}`,
    sql`select m.user_id from ${mentions} m where m.${column} = ${id}`,
    ...more,
  ];
  return {
    select: userSummaryColumns('u'),
    from: sql`users u`,
    where: [
      sql`u.id = any(array(${join(all, ' union ')}))`,
      sql`exists (select 1 from ${projectTables} where p.id = ${project_id} and ${mayReadIssuables(ctx, level)})`,
    ],
    order: [byId('u', 'asc')],
  };
}
