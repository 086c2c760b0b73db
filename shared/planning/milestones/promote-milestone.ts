import type { Context } from '../../core/context/context.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { anyOf } from '../../core/database/expressions.js';
import { containerOfGroup, lockContainer, projectContainer } from '../../tenancy/containers/container.js';
import type { ProjectContainer } from '../../tenancy/containers/container.js';
import { findGroup } from '../../tenancy/groups/group.finder.js';
import { listsToKeep } from '../labels/lists-to-keep.js';
import { projectsInAndBelow } from '../../tenancy/containers/below-group.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { milestoneParam } from './edit-milestones.js';
import { Milestone } from './milestone.entity.js';
import type { MilestoneRecord } from './milestone.entity.js';
import { findMilestoneOf } from './milestone.finder.js';
import { milestonePolicy } from './milestone.policy.js';
import { nextMilestoneIid } from './next-iid.js';

/** The group that a project milestone can be promoted to. @throws Forbidden also if the project is not in a group */
async function getGroup(ctx: Context, { record }: ProjectContainer) {
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
  const rows = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('milestones as m')
    .select(['m.id', 'm.project_id'])
    .where('m.title', '=', milestone.title)
    .where((eb) => eb.or([eb('m.namespace_id', '=', groupId), eb('m.project_id', 'in', projectsInAndBelow(groupId))]))
    .orderBy('m.id')
    .forNoKeyUpdate('m')
    .execute();
  if (!rows.some(({ id }) => id === milestone.id)) throw new NotFound();
  return rows.filter(({ id }) => id !== milestone.id);
}

/** What was planned for one of these is planned for the other one: issues, boards and their lists. */
async function takeOver(ctx: Context, from: readonly number[], to: number): Promise<void> {
  const db = ctx.em.getKysely<PlanningDatabase>();
  await db.updateTable('boards').set({ milestone_id: to }).where('milestone_id', '=', anyOf(from, 'bigint')).execute();
  await db
    .updateTable('board_lists as t')
    .from(listsToKeep('milestone_id', from, to).as('kept'))
    .set({ milestone_id: to })
    .whereRef('t.id', '=', 'kept.id')
    .execute();
  await db
    .with('planned', (of) =>
      of
        .selectFrom('issues as i')
        .select('i.id')
        .where('i.milestone_id', '=', anyOf(from, 'bigint'))
        .orderBy('i.id')
        .forNoKeyUpdate(),
    )
    .updateTable('issues')
    .from('planned')
    .set({ milestone_id: to })
    .whereRef('issues.id', '=', 'planned.id')
    .execute();
}

/**
 * Turns a project milestone into a milestone of its group, with a number in the group. Milestones with the same title
 * in the group and its projects are merged into it. Requires permission to edit milestones of both.
 */
export const promoteMilestone = operation({
  name: 'promoteProjectMilestone',
  summary: 'Promote a milestone of a project to one of its group',
  resource: projectContainer.resource,
  can: can(milestonePolicy, 'update_milestone'),
  kind: 'write',
  statements: 20,
  params: milestoneParam,
  async run(ctx, container, { milestone_id: id }): Promise<MilestoneRecord> {
    const group = await getGroup(ctx, container);
    const milestone = await findMilestoneOf(ctx, container, id);
    await lockContainer(ctx, group);
    const merged = await namesakes(ctx, group.id, milestone);
    const others = merged.map((one) => one.id);
    if (others.length > 0) {
      await takeOver(ctx, others, id);
      await ctx.em
        .getKysely<PlanningDatabase>()
        .deleteFrom('milestones')
        .where('id', '=', anyOf(others, 'bigint'))
        .execute();
    }
    const iid = await nextMilestoneIid(ctx, group);
    const change = { project_id: null, namespace_id: group.id, iid, updated_at: ctx.clock.now() };
    await ctx.em.nativeUpdate(Milestone, { id }, change);
    ctx.record({
      type: 'milestone.promoted',
      container: group.summary,
      milestone: { id, title: milestone.title },
      merged: others,
      project_ids: [container.id, ...merged.flatMap(({ project_id }) => project_id ?? [])],
    });
    return { ...milestone, ...change, full_path: group.record.full_path };
  },
});
