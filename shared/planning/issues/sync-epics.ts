import { expressionBuilder, sql } from 'kysely';
import type { ExpressionBuilder, Expression, SqlBool } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { allOf, anyIn, scalar } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { isAtOrBelow } from '../../tenancy/namespaces/below.js';
import type { PlanningDatabase } from '../planning.entities.js';

/*
 * An issue is in an epic of a group that its project lies in, and an epic below another one of the same tree of groups.
 * What goes elsewhere leaves behind what does not hold there.
 */

/** Hands the epic of a moved issue to what it became, where that lies below the epic's group too. */
export async function moveToEpicOf(ctx: Context<Caller>, fromId: number, toId: number): Promise<void> {
  await ctx.em
    .getKysely<PlanningDatabase>()
    .updateTable('epic_issues as x')
    .from('epics as e')
    .from((eb) =>
      eb
        .selectFrom('issues as i')
        .innerJoin('projects as p', 'p.id', 'i.project_id')
        .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
        .select(['i.id', 'i.project_id', 'n.traversal_ids'])
        .where('i.id', '=', toId)
        .as('moved'),
    )
    .set((eb) => ({ issue_id: eb.ref('moved.id'), project_id: eb.ref('moved.project_id') }))
    .where('x.issue_id', '=', fromId)
    .whereRef('e.id', '=', 'x.epic_id')
    .where((eb) => eb('e.namespace_id', '=', anyIn(eb.ref('moved.traversal_ids'))))
    .execute();
}

const onMoved = expressionBuilder<Aliased<PlanningDatabase, { p: 'projects' }>, 'p'>();

/** Takes issues of some projects `p` of namespaces `n` out of epics of groups that the projects are no longer in. */
async function leaveEpicsElsewhere(ctx: Context<Caller>, projects: Expression<SqlBool>): Promise<void> {
  await ctx.em
    .getKysely<PlanningDatabase>()
    .deleteFrom('epic_issues as x')
    .using(['projects as p', 'namespaces as n', 'epics as e'])
    .where(projects)
    .whereRef('x.project_id', '=', 'p.id')
    .whereRef('n.id', '=', 'p.namespace_id')
    .whereRef('e.id', '=', 'x.epic_id')
    .where((eb) => eb('e.namespace_id', '<>', allOf(eb.ref('n.traversal_ids'), 'bigint')))
    .execute();
}

/** Takes the issues of a project that was transferred out of epics of groups that it is no longer in. */
export const syncEpicsOfProject = (ctx: Context<Caller>, projectId: number): Promise<void> =>
  leaveEpicsElsewhere(ctx, onMoved('p.id', '=', projectId));

/** Labels of groups that epics' groups are no longer in, with the group that has them on epics. */
const lostLabels = (groupId: number) =>
  expressionBuilder<PlanningDatabase>()
    .selectFrom('namespaces as n')
    .innerJoin('epics as e', 'e.namespace_id', 'n.id')
    .innerJoin('epic_labels as x', 'x.epic_id', 'e.id')
    .innerJoin('labels as l', 'l.id', 'x.label_id')
    .distinct()
    .select(['e.namespace_id as group_id', 'n.traversal_ids', 'l.id', 'l.title', 'l.color', 'l.description'])
    .where(isAtOrBelow('n', groupId))
    .where((eb) => eb('l.namespace_id', '<>', allOf(eb.ref('n.traversal_ids'), 'bigint')));

type Lost = PlanningDatabase & {
  lost: {
    group_id: number;
    traversal_ids: number[];
    id: number;
    title: string;
    color: string;
    description: string | null;
  };
};

/** The group's label with that title, its own or one of its ancestor groups. */
const availableLabel = (eb: Pick<ExpressionBuilder<Lost, 'lost'>, 'selectFrom'>) =>
  eb
    .selectFrom('labels as a')
    .select('a.id')
    .whereRef('a.title', '=', 'lost.title')
    .where((of) => of('a.namespace_id', '=', anyIn(of.ref('lost.traversal_ids'))))
    .orderBy((of) => of('a.namespace_id', '=', of.ref('lost.group_id')), 'desc')
    .orderBy('a.id')
    .limit(1);

async function transferLabels(ctx: Context<Caller>, groupId: number): Promise<void> {
  const db = ctx.em.getKysely<PlanningDatabase>();
  const now = ctx.clock.now();
  const of = expressionBuilder<Lost, 'lost'>();
  const available = availableLabel(of);
  const instant = of.cast<Date>(of.val(now), 'timestamptz');
  await db
    .insertInto('labels')
    .columns(['namespace_id', 'title', 'color', 'description', 'archived', 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom(lostLabels(groupId).as('lost'))
        .select((lost) => [
          'lost.group_id',
          'lost.title',
          lost.fn.min('lost.color').as('color'),
          lost.fn.min('lost.description').as('description'),
          lost.lit(false).as('archived'),
          instant.as('created_at'),
          instant.as('updated_at'),
        ])
        .where(eb.not(eb.exists(available)))
        .groupBy(['lost.group_id', 'lost.title'])
        .orderBy('lost.group_id')
        .orderBy('lost.title'),
    )
    .onConflict((conflict) =>
      conflict.columns(['namespace_id', 'title']).where('namespace_id', 'is not', null).doNothing(),
    )
    .execute();
  await db
    .with(
      (cte) => cte('lost').materialized(),
      () => lostLabels(groupId),
    )
    .with('gone', (gone) =>
      gone
        .deleteFrom('epic_labels as x')
        .using(['lost', 'epics as e'])
        .whereRef('x.label_id', '=', 'lost.id')
        .whereRef('e.id', '=', 'x.epic_id')
        .whereRef('e.namespace_id', '=', 'lost.group_id')
        .returning(['x.epic_id', 'x.namespace_id', scalar(available).as('label_id')]),
    )
    .insertInto('epic_labels')
    .columns(['namespace_id', 'epic_id', 'label_id'])
    .expression((eb) => eb.selectFrom('gone').distinct().select(['gone.namespace_id', 'gone.epic_id', 'gone.label_id']))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The same for all that is in and below a group that was transferred: its epics, their parents and labels. */
export async function syncEpicsOfGroup(ctx: Context<Caller>, groupId: number): Promise<void> {
  await leaveEpicsElsewhere(ctx, isAtOrBelow('n', groupId));
  await ctx.em
    .getKysely<PlanningDatabase>()
    .updateTable('epics as e')
    .from(['namespaces as n', 'epics as above', 'namespaces as an'])
    .set({ parent_id: null })
    .whereRef('n.id', '=', 'e.namespace_id')
    .whereRef('above.id', '=', 'e.parent_id')
    .whereRef('an.id', '=', 'above.namespace_id')
    .where((eb) => eb.or([isAtOrBelow('n', groupId), isAtOrBelow('an', groupId)]))
    .where((eb) => eb(getTop(eb.ref('n.traversal_ids')), '<>', getTop(eb.ref('an.traversal_ids'))))
    .execute();
  await transferLabels(ctx, groupId);
}

/** The group at the top of a tree, by the ids from there down to one of its groups. */
const getTop = (ids: Expression<number[]>) => sql<number>`(${ids})[1]`;
