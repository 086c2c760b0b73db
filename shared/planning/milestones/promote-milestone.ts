import type { Context } from '../../core/context.js';
import { Forbidden, NotFound } from '../../core/errors.js';
import { can, operation } from '../../core/operation.js';
import { sql } from '../../core/sql.js';
import { containerOfGroup, lockContainer, projectContainer } from '../../tenancy/containers/container.js';
import type { ProjectContainer } from '../../tenancy/containers/container.js';
import { findGroup } from '../../tenancy/groups/group.finder.js';
import { milestoneParam } from './edit-milestones.js';
import { Milestone } from './milestone.entity.js';
import { findMilestoneOf } from './milestone.finder.js';
import { milestonePolicy } from './milestone.policy.js';
import type { MilestoneRecord } from './milestone.record.js';
import { nextMilestoneIid } from './next-iid.js';

/** The group that a milestone of the project may be promoted to. @throws Forbidden also where it lies in none */
async function groupOf(ctx: Context, { record }: ProjectContainer) {
  if (record.namespace.kind !== 'group') throw new Forbidden();
  const group = containerOfGroup(await findGroup(ctx, record.namespace_id));
  if (!milestonePolicy.update_milestone(ctx.caller, group)) throw new Forbidden();
  return group;
}

/** A milestone, and the project that has it, if one does. */
interface Namesake {
  readonly id: number;
  readonly project_id: number | null;
}

/**
 * Milestones of that title of the group itself and of all projects in and below it, but for the promoted one, locked in
 * the order of their ids.
 */
async function namesakes(ctx: Context, groupId: number, milestone: MilestoneRecord): Promise<Namesake[]> {
  const rows = await ctx.query<Namesake>(sql`
    select m.id, m.project_id from milestones m
     where m.title = ${milestone.title} and (m.namespace_id = ${groupId} or m.project_id in (
       select p.id from projects p join namespaces n on n.id = p.namespace_id
        where n.traversal_ids @> array[${groupId}::bigint]))
     order by m.id for no key update of m`);
  if (!rows.some(({ id }) => id === milestone.id)) throw new NotFound();
  return rows.filter(({ id }) => id !== milestone.id);
}

/** What was planned for one of these is planned for the other one: issues, boards and their lists. */
async function takeOver(ctx: Context, from: readonly number[], to: number): Promise<void> {
  await ctx.query(sql`
    update boards set milestone_id = ${to} where milestone_id = any(${[...from]}::bigint[])`);
  await ctx.query(sql`
    update board_lists t set milestone_id = ${to} from (
      select min(bl.id) as id from board_lists bl where bl.milestone_id = any(${[...from]}::bigint[])
         and not exists (select 1 from board_lists o where o.board_id = bl.board_id and o.milestone_id = ${to})
       group by bl.board_id) kept
     where t.id = kept.id`);
  await ctx.query(sql`
    with planned as (
      select i.id from issues i where i.milestone_id = any(${[...from]}::bigint[]) order by i.id for no key update)
    update issues set milestone_id = ${to} from planned where issues.id = planned.id`);
}

/**
 * A milestone of a project becomes one of its group, with a number there. Milestones of the same title in the group and
 * its projects become one with it. For whoever may edit milestones of both.
 */
export const promoteMilestone = operation({
  name: 'promoteProjectMilestone',
  summary: 'Promote a milestone of a project to one of its group',
  subject: projectContainer.subject,
  can: can(milestonePolicy, 'update_milestone'),
  kind: 'write',
  statements: 20,
  params: milestoneParam,
  async run(ctx, container, { milestone_id: id }): Promise<MilestoneRecord> {
    const group = await groupOf(ctx, container);
    const milestone = await findMilestoneOf(ctx, container, id);
    await lockContainer(ctx, group);
    const merged = await namesakes(ctx, group.id, milestone);
    const others = merged.map((one) => one.id);
    if (others.length > 0) {
      await takeOver(ctx, others, id);
      await ctx.em.nativeDelete(Milestone, { id: { $in: others } });
    }
    const iid = await nextMilestoneIid(ctx, group);
    const change = { project_id: null, namespace_id: group.id, iid, updated_at: ctx.clock.now() };
    await ctx.em.nativeUpdate(Milestone, { id }, change);
    ctx.record({
      type: 'milestone.promoted',
      container: group.named,
      milestone: { id, title: milestone.title },
      merged: others,
      project_ids: [container.id, ...merged.flatMap(({ project_id }) => project_id ?? [])],
    });
    return { ...milestone, ...change, full_path: group.record.full_path };
  },
});
