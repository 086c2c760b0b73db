import type { ContainerRef } from '../../core/container.js';
import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { or, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { today } from '../../tenancy/access/access.js';
import { groupBelongs, roleAt } from './who-may-be-named.js';

/** Whose entries are looked at: of one user, of one group, or of everybody. */
type Named = { user_id: number } | { group_id: number } | 'everybody';

/** SQL: whether the user of entry `l` has no role any more where protected environment `pe` belongs. */
const userIsGone = (day: string): Fragment => sql`l.user_id is not null and ${roleAt(raw('l.user_id'), day)} = 0`;

/** SQL: whether the group of entry `l` may not be named any more where protected environment `pe` belongs. */
const groupIsGone = (day: string): Fragment => sql`l.group_id is not null and not ${groupBelongs(day)}`;

function strandedOf(named: Named, day: string): Fragment {
  if (named === 'everybody') return or([userIsGone(day), groupIsGone(day)]);
  if ('user_id' in named) return sql`l.user_id = ${named.user_id} and ${userIsGone(day)}`;
  return sql`l.group_id = ${named.group_id} and ${groupIsGone(day)}`;
}

/**
 * Removes what names somebody who does not belong to the container any more. Where no approval rule would be left, the
 * first one stays and becomes the Maintainers' (protected-environments.md section 7); that they are who it names then
 * the database sees to.
 * @param place condition on `pe` of the protected environments that are looked at
 */
async function removeNames(ctx: Context<Caller>, place: Fragment, stranded: Fragment): Promise<void> {
  await ctx.query(sql`
    delete from protected_environment_deploy_levels l using protected_environments pe
     where pe.id = l.protected_environment_id and ${place} and (${stranded})`);
  await ctx.query(sql`
    with gone as (
      select l.id, l.protected_environment_id,
             row_number() over (partition by l.protected_environment_id order by l.id) = 1 as first
        from protected_environment_approval_rules l join protected_environments pe on pe.id = l.protected_environment_id
       where ${place} and (${stranded})),
    kept as (
      select g.id from gone g
       where g.first and not exists (
         select 1 from protected_environment_approval_rules o
          where o.protected_environment_id = g.protected_environment_id and o.id not in (select id from gone))),
    given as (
      update protected_environment_approval_rules r set user_id = null, group_id = null
        from kept where r.id = kept.id)
    delete from protected_environment_approval_rules r using gone
     where r.id = gone.id and r.id not in (select id from kept)`);
}

/** After a member is removed, a share ends, or a project or group moves. @param container with all that lies below it */
export async function removeStrandedNames(
  ctx: Context<Caller>,
  named: Named,
  { kind, id }: ContainerRef,
): Promise<void> {
  const below = sql`select d.id from namespaces d where d.traversal_ids @> array[${id}]::bigint[]`;
  const place =
    kind === 'project'
      ? sql`pe.project_id = ${id}`
      : sql`(pe.namespace_id in (${below})
             or pe.project_id in (select p.id from projects p where p.namespace_id in (${below})))`;
  await removeNames(ctx, place, strandedOf(named, today(ctx)));
}

/** After a group moved: what those that it lay in said of it, or of groups below it. @param before the group where it was */
export async function removeStrandedOfTransfer(
  ctx: Context<Caller>,
  before: { traversal_ids: readonly number[] },
): Promise<void> {
  await removeNames(ctx, sql`pe.namespace_id = any(${before.traversal_ids}::bigint[])`, groupIsGone(today(ctx)));
}
