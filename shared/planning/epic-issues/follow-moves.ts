import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';

/*
 * An issue is in an epic of a group that its project lies in, and an epic below another one of the same tree of groups.
 * What goes elsewhere leaves behind what does not hold there.
 */

/** Hands the epic of a moved issue to what it became, where that lies below the epic's group too. */
export async function moveToEpicOf(ctx: Context<Caller>, fromId: number, toId: number): Promise<void> {
  await ctx.query(sql`
    update epic_issues x set issue_id = i.id, project_id = i.project_id
      from issues i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id, epics e
     where x.issue_id = ${fromId} and i.id = ${toId} and e.id = x.epic_id and e.namespace_id = any(n.traversal_ids)`);
}

/** Takes issues of some projects `p` out of epics of groups that the projects are no longer in. */
export async function leaveEpicsElsewhere(ctx: Context<Caller>, projects: Fragment): Promise<void> {
  await ctx.query(sql`
    delete from epic_issues x using projects p, namespaces n, epics e
     where ${projects} and x.project_id = p.id and n.id = p.namespace_id and e.id = x.epic_id
       and e.namespace_id <> all(n.traversal_ids)`);
}

/** Labels of groups that epics' groups are no longer in, with the group that has them on epics. */
const lostLabels = (groupId: number): Fragment => sql`
  select distinct e.namespace_id as group_id, n.traversal_ids, l.id, l.title, l.color, l.description
    from namespaces n join epics e on e.namespace_id = n.id
    join epic_labels x on x.epic_id = e.id join labels l on l.id = x.label_id
   where n.traversal_ids @> array[${groupId}]::bigint[] and l.namespace_id <> all(n.traversal_ids)`;

/** What a group has of that title, of its own or of the groups above it. */
const availableLabel: Fragment = sql`
  select a.id from labels a where a.title = lost.title and a.namespace_id = any(lost.traversal_ids)
   order by (a.namespace_id = lost.group_id) desc, a.id limit 1`;

async function bringLabels(ctx: Context<Caller>, groupId: number): Promise<void> {
  const now = ctx.clock.now();
  await ctx.query(sql`
    insert into labels (namespace_id, title, color, description, archived, created_at, updated_at)
    select lost.group_id, lost.title, min(lost.color), min(lost.description), false, ${now}, ${now}
      from (${lostLabels(groupId)}) lost where not exists (${availableLabel})
     group by lost.group_id, lost.title order by 1, 2
    on conflict (namespace_id, title) where namespace_id is not null do nothing`);
  await ctx.query(sql`
    with lost as materialized (${lostLabels(groupId)}),
    gone as (
      delete from epic_labels x using lost, epics e
       where x.label_id = lost.id and e.id = x.epic_id and e.namespace_id = lost.group_id
      returning x.epic_id, x.namespace_id, (${availableLabel}) as label_id)
    insert into epic_labels (namespace_id, epic_id, label_id)
    select distinct gone.namespace_id, gone.epic_id, gone.label_id from gone on conflict do nothing`);
}

/** The same for all that is in and below a group that was transferred: its epics, their parents and labels. */
export async function followEpicsOfGroup(ctx: Context<Caller>, groupId: number): Promise<void> {
  await leaveEpicsElsewhere(ctx, sql`n.traversal_ids @> array[${groupId}]::bigint[]`);
  const inside = (alias: Fragment) => sql`${alias}.traversal_ids @> array[${groupId}]::bigint[]`;
  await ctx.query(sql`
    update epics e set parent_id = null
      from namespaces n, epics above join namespaces an on an.id = above.namespace_id
     where n.id = e.namespace_id and above.id = e.parent_id
       and (${inside(sql`n`)} or ${inside(sql`an`)}) and n.traversal_ids[1] <> an.traversal_ids[1]`);
  await bringLabels(ctx, groupId);
}
