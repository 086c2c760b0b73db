import { containerColumn } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { namespaceAccess, today } from '../../tenancy/namespaces/access.js';
import type { Container } from '../../tenancy/containers/container.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import { assignableUsers } from '../issuables/assignable-users.js';
import type { PlanningDatabase } from '../planning.entities.js';

/** The table to search: labels and milestones both have the columns used here, so both are typed as labels. */
const TABLES = { label: 'labels', milestone: 'milestones' as 'labels' } as const;

/** The id of a label or milestone that boards of a project or group can use: its own, or one of the groups above. */
export async function findBoardRecordId(
  ctx: Context,
  { kind, id, namespaceIds }: Container,
  recordType: keyof typeof TABLES,
  recordId: number,
): Promise<number | null> {
  const row = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom(`${TABLES[recordType]} as r`)
    .select('r.id')
    .where('r.id', '=', recordId)
    .where((eb) =>
      eb.or([eb(`r.${containerColumn(kind)}`, '=', id), eb('r.namespace_id', '=', anyOf(namespaceIds, 'bigint'))]),
    )
    .executeTakeFirst();
  return row?.id ?? null;
}

/** A user that boards can reference: one who can be assigned issues in the project, or a member of the group. */
export async function findBoardUser(ctx: Context, container: Container, id: number): Promise<UserSummary | null> {
  if (container.kind === 'project')
    return (await assignableUsers(ctx, container.record, [id], container.record.issues_access_level))[0] ?? null;
  const user = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('users as u')
    .crossJoin('namespaces as n')
    .select(columns(User, 'u', USER_SUMMARY))
    .where('u.id', '=', id)
    .where('n.id', '=', container.id)
    .where('u.state', 'in', [constant('active'), constant('deactivated')])
    .where((eb) => eb(namespaceAccess(eb.ref('u.id'), today(ctx)), '>=', constant(ACCESS_LEVELS.guest)))
    .executeTakeFirst();
  return user ?? null;
}
