import { expressionBuilder } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { Forbidden, Invalid, NotFound } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { anyOf } from '../../core/database/expressions.js';
import { containerOfGroup, projectContainer } from '../../tenancy/containers/container.js';
import type { ProjectContainer } from '../../tenancy/containers/container.js';
import { findGroup } from '../../tenancy/groups/group.finder.js';
import { listsToKeep } from './lists-to-keep.js';
import { projectsInAndBelow } from '../../tenancy/containers/below-group.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { Label } from './label.entity.js';
import type { LabelRecord } from './label.entity.js';
import { labelParam } from './label-params.js';
import { findLabel } from './label.finder.js';
import { labelPolicy } from './label.policy.js';

/** The group that a label of the project may be promoted to. @throws Invalid, Forbidden */
async function getGroup(ctx: Context, { record }: ProjectContainer) {
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
  const rows = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('labels as l')
    .select('l.id')
    .where('l.title', '=', label.title)
    .where((eb) => eb.or([eb('l.namespace_id', '=', groupId), eb('l.project_id', 'in', projectsInAndBelow(groupId))]))
    .orderBy('l.id')
    .forNoKeyUpdate('l')
    .execute();
  if (!rows.some(({ id }) => id === label.id)) throw new NotFound('Label');
  return rows.map(({ id }) => id).filter((id) => id !== label.id);
}

/** What had one of these labels has the other one: issues, epics, boards and their lists, priorities, subscriptions. */
async function takeOver(ctx: Context, from: readonly number[], to: number): Promise<void> {
  const db = ctx.em.getKysely<PlanningDatabase>();
  const eb = expressionBuilder<PlanningDatabase>();
  const target = eb.cast<number>(eb.val(to), 'bigint').as('label_id');
  await db
    .insertInto('issue_labels')
    .columns(['project_id', 'issue_id', 'label_id'])
    .expression(
      eb
        .selectFrom('issue_labels as il')
        .distinctOn('il.issue_id')
        .select(['il.project_id', 'il.issue_id', target])
        .where('il.label_id', '=', anyOf(from, 'bigint'))
        .orderBy('il.issue_id'),
    )
    .onConflict((conflict) => conflict.columns(['issue_id', 'label_id']).doNothing())
    .execute();
  await db
    .insertInto('epic_labels')
    .columns(['namespace_id', 'epic_id', 'label_id'])
    .expression(
      eb
        .selectFrom('epic_labels as el')
        .distinctOn('el.epic_id')
        .select(['el.namespace_id', 'el.epic_id', target])
        .where('el.label_id', '=', anyOf(from, 'bigint'))
        .orderBy('el.epic_id'),
    )
    .onConflict((conflict) => conflict.columns(['epic_id', 'label_id']).doNothing())
    .execute();
  await db
    .insertInto('board_labels')
    .columns(['board_id', 'label_id'])
    .expression(
      eb
        .selectFrom('board_labels as bl')
        .distinct()
        .select(['bl.board_id', target])
        .where('bl.label_id', '=', anyOf(from, 'bigint'))
        .orderBy('bl.board_id'),
    )
    .onConflict((conflict) => conflict.columns(['board_id', 'label_id']).doNothing())
    .execute();
  await db
    .updateTable('board_lists as t')
    .from(listsToKeep('label_id', from, to).as('kept'))
    .set({ label_id: to })
    .whereRef('t.id', '=', 'kept.id')
    .execute();
  await db
    .insertInto('label_priorities')
    .columns(['project_id', 'label_id', 'priority'])
    .expression(
      eb
        .selectFrom('label_priorities as lp')
        .select((of) => ['lp.project_id', target, of.fn.min('lp.priority').as('priority')])
        .where('lp.label_id', '=', anyOf(from, 'bigint'))
        .groupBy('lp.project_id')
        .orderBy('lp.project_id'),
    )
    .onConflict((conflict) => conflict.columns(['project_id', 'label_id']).doNothing())
    .execute();
  await db
    .insertInto('label_subscriptions')
    .columns(['label_id', 'user_id'])
    .expression(
      eb
        .selectFrom('label_subscriptions as ls')
        .distinct()
        .select([target, 'ls.user_id'])
        .where('ls.label_id', '=', anyOf(from, 'bigint'))
        .orderBy('ls.user_id'),
    )
    .onConflict((conflict) => conflict.columns(['label_id', 'user_id']).doNothing())
    .execute();
}

/**
 * Turns a project label into a label of its group, keeping its id. Labels with the same title in the group and its
 * projects are merged into it. Requires permission to edit labels of both.
 */
export const promoteLabel = operation({
  name: 'promoteProjectLabel',
  summary: 'Promote a label of a project to one of its group',
  resource: projectContainer.resource,
  can: can(labelPolicy, 'update_label'),
  kind: 'write',
  statements: 24,
  params: labelParam,
  async run(ctx, container, { label_id }): Promise<LabelRecord> {
    const group = await getGroup(ctx, container);
    const label = await findLabel(ctx, container, label_id, { ancestors: false });
    const others = await namesakes(ctx, group.id, label);
    if (others.length > 0) {
      await takeOver(ctx, others, label.id);
      await ctx.em
        .getKysely<PlanningDatabase>()
        .deleteFrom('labels')
        .where('id', '=', anyOf(others, 'bigint'))
        .execute();
    }
    const change = { project_id: null, namespace_id: group.id, updated_at: ctx.clock.now() };
    await ctx.em.nativeUpdate(Label, { id: label.id }, change);
    ctx.record({
      type: 'label.promoted',
      container: group.summary,
      label: { id: label.id, title: label.title },
      merged: others,
    });
    return { ...label, ...change };
  },
});
