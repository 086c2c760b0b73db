import { containerColumn } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { namespaceAccess, today } from '../../tenancy/access/access.js';
import type { Container } from '../../tenancy/containers/container.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import { assignableUsers } from '../issuables/assignable-users.js';

/** Which table of labels or milestones is looked in. */
const TABLES = { label: sql`labels`, milestone: sql`milestones` } as const;

/** The id of a label or milestone that boards of a project or group can name: its own, or one of the groups above. */
export async function knownId(
  ctx: Context,
  { kind, id, namespaceIds }: Container,
  what: keyof typeof TABLES,
  wanted: number,
): Promise<number | null> {
  const row = await ctx.queryOne<{ id: number }>(sql`
    select k.id as "id" from ${TABLES[what]} k
     where k.id = ${wanted} and (k.${containerColumn(kind)} = ${id} or k.namespace_id = any(${[...namespaceIds]}::bigint[]))`);
  return row?.id ?? null;
}

/** A user whom boards of a project or group can name: who may be given issues there, or is a member of the group. */
export async function knownUser(ctx: Context, container: Container, id: number): Promise<UserSummary | null> {
  if (container.kind === 'project')
    return (await assignableUsers(ctx, container.record, [id], container.record.issues_access_level))[0] ?? null;
  return ctx.queryOne<UserSummary>(sql`
    select ${userSummaryColumns('u')} from users u cross join namespaces n
     where u.id = ${id} and n.id = ${container.id} and u.state in ('active', 'deactivated')
       and ${namespaceAccess(sql`u.id`, today(ctx))} >= 10`);
}
