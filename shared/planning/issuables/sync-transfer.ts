import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { allOf, anyIn, constant, scalar, unnestedRows } from '../../core/database/expressions.js';
import { readRows } from '../../core/database/prepared.js';
import { asQueryOf } from '../../core/database/tables.js';
import type { Aliased } from '../../core/database/tables.js';
import { isAtOrBelow } from '../../tenancy/namespaces/below.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { issueType, mergeRequestType } from './issuable-type.js';
import type { IssuableType } from './issuable-type.js';

/*
 * A transferred project loses the labels and milestones of its previous groups. As in the public API, those used by its
 * issues and merge requests are copied into the project, or replaced by those of the same title at its new location.
 */

type OfMoved = Aliased<PlanningDatabase, { p: 'projects'; n: 'namespaces'; i: 'issues' }>;
const onMoved = expressionBuilder<OfMoved, 'n' | 'p'>();

/** The records `i` of projects `p` of namespaces `n` that moved. */
const getRecords = ({ tables }: IssuableType, projects: Expression<SqlBool>) =>
  asQueryOf<OfMoved, 'i' | 'n' | 'p'>()(
    expressionBuilder<PlanningDatabase>()
      .selectFrom('projects as p')
      .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
      .innerJoin(`${tables.records} as i`, 'i.project_id', 'p.id')
      .where(projects),
  );

/** Labels of groups that projects are no longer in, with the project that has them on issues. */
const lostLabels = (type: IssuableType, projects: Expression<SqlBool>) =>
  getRecords(type, projects)
    .innerJoin(`${type.tables.labels} as x`, `x.${type.tables.record_id}`, 'i.id')
    .innerJoin('labels as l', 'l.id', 'x.label_id')
    .distinct()
    .select(['p.id as project_id', 'n.traversal_ids', 'l.id', 'l.title', 'l.color', 'l.description'])
    .where('l.namespace_id', 'is not', null)
    .where((eb) => eb('l.namespace_id', '<>', allOf(eb.ref('n.traversal_ids'), 'bigint')));

interface LostLabel {
  project_id: number;
  traversal_ids: number[];
  id: number;
  title: string;
  color: string;
  description: string | null;
}

/** The project's label with the title of `lost`, its own or one of its groups. */
const availableLabel = expressionBuilder<PlanningDatabase & { lost: LostLabel }, 'lost'>()
  .selectFrom('labels as a')
  .select('a.id')
  .whereRef('a.title', '=', 'lost.title')
  .where((eb) =>
    eb.or([
      eb('a.project_id', '=', eb.ref('lost.project_id')),
      eb('a.namespace_id', '=', anyIn(eb.ref('lost.traversal_ids'))),
    ]),
  )
  .orderBy('a.project_id', (order) => order.asc().nullsLast())
  .orderBy('a.id')
  .limit(constant(1));

async function transferLabels(ctx: Context<Caller>, type: IssuableType, projects: Expression<SqlBool>): Promise<void> {
  const { records, labels, record_id } = type.tables;
  const db = ctx.em.getKysely<PlanningDatabase>();
  const now = onMoved.cast<Date>(onMoved.val(ctx.clock.now()), 'timestamptz');
  await db
    .insertInto('labels')
    .columns(['project_id', 'title', 'color', 'description', 'archived', 'created_at', 'updated_at'])
    .expression(
      db
        .selectFrom(lostLabels(type, projects).as('lost'))
        .select((eb) => [
          'lost.project_id',
          'lost.title',
          eb.fn.min('lost.color').as('color'),
          eb.fn.min('lost.description').as('description'),
          eb.lit(false).as('archived'),
          now.as('created_at'),
          now.as('updated_at'),
        ])
        .where((eb) => eb.not(eb.exists(availableLabel)))
        .groupBy(['lost.project_id', 'lost.title'])
        .orderBy('lost.project_id')
        .orderBy('lost.title'),
    )
    .onConflict((conflict) => conflict.columns(['project_id', 'title']).where('project_id', 'is not', null).doNothing())
    .execute();
  await db
    .with(
      (cte) => cte('lost').materialized(),
      () => lostLabels(type, projects),
    )
    .with('gone', (of) =>
      of
        .deleteFrom(`${labels} as x`)
        .using(['lost', `${records} as i`])
        .whereRef('x.label_id', '=', 'lost.id')
        .whereRef('i.id', '=', `x.${record_id}`)
        .whereRef('i.project_id', '=', 'lost.project_id')
        .returning([`x.${record_id} as record_id`, 'x.project_id', scalar(availableLabel).as('label_id')]),
    )
    .insertInto(labels)
    .columns(['project_id', record_id, 'label_id'])
    .expression((eb) => eb.selectFrom('gone').distinct().select(['gone.project_id', 'gone.record_id', 'gone.label_id']))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

interface LostMilestone {
  readonly project_id: number;
  readonly id: number;
  readonly title: string;
  /** The project's milestone with that title. */
  readonly other: number | null;
}

function lostMilestones(
  ctx: Context<Caller>,
  type: IssuableType,
  projects: Expression<SqlBool>,
): Promise<LostMilestone[]> {
  const lost = getRecords(type, projects)
    .innerJoin('milestones as m', 'm.id', 'i.milestone_id')
    .distinct()
    .select((eb) => [
      'p.id as project_id',
      'm.id',
      'm.title',
      scalar(
        eb
          .selectFrom('milestones as o')
          .select('o.id')
          .whereRef('o.title', '=', 'm.title')
          .where((of) =>
            of.or([
              of('o.project_id', '=', of.ref('p.id')),
              of('o.namespace_id', '=', anyIn(of.ref('n.traversal_ids'))),
            ]),
          )
          .orderBy('o.project_id', (order) => order.asc().nullsLast())
          .orderBy('o.id')
          .limit(constant(1))
          .$castTo<{ id: number | null }>(),
      ).as('other'),
    ])
    .where('m.namespace_id', 'is not', null)
    .where((eb) => eb('m.namespace_id', '<>', allOf(eb.ref('n.traversal_ids'), 'bigint')))
    .orderBy('p.id')
    .orderBy('m.id');
  return readRows(ctx.em, lost);
}

/** The milestones of groups as milestones of the projects, under their next numbers. */
async function copyMilestones(ctx: Context<Caller>, milestones: readonly LostMilestone[]): Promise<void> {
  if (milestones.length === 0) return;
  const now = onMoved.cast<Date>(onMoved.val(ctx.clock.now()), 'timestamptz');
  await ctx.em
    .getKysely<PlanningDatabase>()
    .with('requested', (db) =>
      db
        .selectFrom(unnestedRows(milestones, { project_id: 'bigint', id: 'bigint' }).as('w'))
        .innerJoin('milestones as m', 'm.id', 'w.id')
        .select((eb) => ['w.project_id', 'm.title', eb.fn.min('m.id').as('id')])
        .groupBy(['w.project_id', 'm.title']),
    )
    .with('numbers', (db) =>
      db
        .insertInto('project_counters')
        .columns(['project_id', 'kind', 'last_value'])
        .expression((eb) =>
          eb
            .selectFrom('requested as w')
            .select((of) => ['w.project_id', constant('milestone').as('kind'), of.fn.countAll<number>().as('count')])
            .groupBy('w.project_id')
            .orderBy('w.project_id'),
        )
        .onConflict((conflict) =>
          conflict.columns(['project_id', 'kind']).doUpdateSet((eb) => ({
            last_value: eb('project_counters.last_value', '+', eb.ref('excluded.last_value')),
          })),
        )
        .returning(['project_id', 'last_value']),
    )
    .insertInto('milestones')
    .columns([
      'project_id',
      'iid',
      'title',
      'description',
      'state',
      'start_date',
      'due_date',
      'created_at',
      'updated_at',
    ])
    .expression((eb) =>
      eb
        .selectFrom('requested as w')
        .innerJoin('numbers', 'numbers.project_id', 'w.project_id')
        .innerJoin('milestones as m', 'm.id', 'w.id')
        .select((of) => [
          'w.project_id',
          of(
            of('numbers.last_value', '+', of.lit(1)),
            '-',
            of.fn.agg<number>('row_number').over((over) => over.partitionBy('w.project_id').orderBy('m.id', 'desc')),
          ).as('iid'),
          'm.title',
          'm.description',
          'm.state',
          'm.start_date',
          'm.due_date',
          now.as('created_at'),
          now.as('updated_at'),
        ]),
    )
    .execute();
}

async function transferMilestones(
  ctx: Context<Caller>,
  type: IssuableType,
  projects: Expression<SqlBool>,
): Promise<void> {
  const lost = await lostMilestones(ctx, type, projects);
  if (lost.length === 0) return;
  await copyMilestones(
    ctx,
    lost.filter(({ other }) => other === null),
  );
  const found = await lostMilestones(ctx, type, projects);
  await ctx.em
    .getKysely<PlanningDatabase>()
    .updateTable(`${type.tables.records} as i`)
    .from(unnestedRows(found, { project_id: 'bigint', id: 'bigint', other: 'bigint' }).as('u'))
    .set((eb) => ({ milestone_id: eb.ref('u.other') }))
    .whereRef('i.project_id', '=', 'u.project_id')
    .whereRef('i.milestone_id', '=', 'u.id')
    .execute();
}

async function syncTransfer(ctx: Context<Caller>, projects: Expression<SqlBool>): Promise<void> {
  for (const type of [issueType, mergeRequestType]) {
    await transferLabels(ctx, type, projects);
    await transferMilestones(ctx, type, projects);
  }
}

/** Moves the labels and milestones of a transferred project's issues and merge requests into the project. */
export const syncProjectTransfer = (ctx: Context<Caller>, projectId: number): Promise<void> =>
  syncTransfer(ctx, onMoved('p.id', '=', projectId));

/** The same for all projects in and below a group that was transferred. */
export const syncGroupTransfer = (ctx: Context<Caller>, groupId: number): Promise<void> =>
  syncTransfer(ctx, isAtOrBelow('n', groupId));
