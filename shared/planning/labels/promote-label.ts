import type { Context } from '../../core/context.js';
import { Forbidden, Invalid, NotFound } from '../../core/errors.js';
import { can, operation } from '../../core/operation.js';
import { sql } from '../../core/sql.js';
import { containerOfGroup, projectContainer } from '../../tenancy/containers/container.js';
import type { ProjectContainer } from '../../tenancy/containers/container.js';
import { findGroup } from '../../tenancy/groups/group.finder.js';
import { Label } from './label.entity.js';
import { labelParam } from './label-params.js';
import { findLabel } from './label.finder.js';
import { labelPolicy } from './label.policy.js';
import type { LabelRecord } from './label.record.js';

/** The group that a label of the project may be promoted to. @throws Invalid, Forbidden */
async function groupOf(ctx: Context, { record }: ProjectContainer) {
  if (record.namespace.kind !== 'group') throw new Invalid('Failed to promote project label to group label');
  const group = containerOfGroup(await findGroup(ctx, record.namespace_id));
  if (!labelPolicy.update_label(ctx.caller, group)) throw new Forbidden();
  return group;
}

/**
 * Labels of that title of the group itself and of all projects in and below it, but for the promoted one, locked in
 * the order of their ids.
 */
async function namesakes(ctx: Context, groupId: number, label: LabelRecord): Promise<number[]> {
  const rows = await ctx.query<{ id: number }>(sql`
    select l.id from labels l
     where l.title = ${label.title} and (l.namespace_id = ${groupId} or l.project_id in (
       select p.id from projects p join namespaces n on n.id = p.namespace_id
        where n.traversal_ids @> array[${groupId}::bigint]))
     order by l.id for no key update of l`);
  if (!rows.some(({ id }) => id === label.id)) throw new NotFound('Label');
  return rows.map(({ id }) => id).filter((id) => id !== label.id);
}

/** What had one of these labels has the other one: issues, epics, boards and their lists, priorities, subscriptions. */
async function takeOver(ctx: Context, from: readonly number[], to: number): Promise<void> {
  await ctx.query(sql`
    insert into issue_labels (project_id, issue_id, label_id)
    select distinct on (il.issue_id) il.project_id, il.issue_id, ${to} from issue_labels il
     where il.label_id = any(${from}::bigint[]) order by il.issue_id
    on conflict (issue_id, label_id) do nothing`);
  await ctx.query(sql`
    insert into epic_labels (namespace_id, epic_id, label_id)
    select distinct on (el.epic_id) el.namespace_id, el.epic_id, ${to} from epic_labels el
     where el.label_id = any(${from}::bigint[]) order by el.epic_id
    on conflict (epic_id, label_id) do nothing`);
  await ctx.query(sql`
    insert into board_labels (board_id, label_id)
    select distinct bl.board_id, ${to}::bigint from board_labels bl
     where bl.label_id = any(${from}::bigint[]) order by bl.board_id
    on conflict (board_id, label_id) do nothing`);
  await ctx.query(sql`
    update board_lists t set label_id = ${to} from (
      select min(bl.id) as id from board_lists bl where bl.label_id = any(${from}::bigint[])
         and not exists (select 1 from board_lists o where o.board_id = bl.board_id and o.label_id = ${to})
       group by bl.board_id) kept
     where t.id = kept.id`);
  await ctx.query(sql`
    insert into label_priorities (project_id, label_id, priority)
    select lp.project_id, ${to}, min(lp.priority) from label_priorities lp
     where lp.label_id = any(${from}::bigint[]) group by lp.project_id order by lp.project_id
    on conflict (project_id, label_id) do nothing`);
  await ctx.query(sql`
    insert into label_subscriptions (label_id, user_id)
    select distinct ${to}::bigint, ls.user_id from label_subscriptions ls
     where ls.label_id = any(${from}::bigint[]) order by ls.user_id
    on conflict (label_id, user_id) do nothing`);
}

/**
 * A label of a project becomes one of its group, and keeps its id. Labels of the same title in the group and its
 * projects become one with it. For whoever may edit labels of both.
 */
export const promoteLabel = operation({
  name: 'promoteProjectLabel',
  summary: 'Promote a label of a project to one of its group',
  subject: projectContainer.subject,
  can: can(labelPolicy, 'update_label'),
  kind: 'write',
  statements: 24,
  params: labelParam,
  async run(ctx, container, { label_id }): Promise<LabelRecord> {
    const group = await groupOf(ctx, container);
    const label = await findLabel(ctx, container, label_id, { ancestors: false });
    const others = await namesakes(ctx, group.id, label);
    if (others.length > 0) {
      await takeOver(ctx, others, label.id);
      await ctx.em.nativeDelete(Label, { id: { $in: others } });
    }
    const change = { project_id: null, namespace_id: group.id, updated_at: ctx.clock.now() };
    await ctx.em.nativeUpdate(Label, { id: label.id }, change);
    ctx.record({
      type: 'label.promoted',
      container: group.named,
      label: { id: label.id, title: label.title },
      merged: others,
    });
    return { ...label, ...change };
  },
});
