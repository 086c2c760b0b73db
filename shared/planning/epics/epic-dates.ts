import { sql } from 'kysely';
import type { Expression, QueryCreator } from 'kysely';
import { scalar, unnested } from '../../core/database/expressions.js';
import { queries } from '../../core/database/compile.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { load } from '../../core/context/loads.js';
import type { PlanningDatabase } from '../planning.entities.js';
import type { ListedEpic } from './epic.entity.js';
import { onEpics } from './visible-epics.js';

/*
 * The dates that an epic inherits: the first and last day of the milestones of its issues and of its child epics, using
 * fixed dates where child epics have them. Computed on request over all descendants, regardless of the caller: a date
 * reveals nothing else about its source.
 */

/** The dates that an epic inherits from its issues and child epics, `YYYY-MM-DD`. */
export interface InheritedDates {
  readonly start_date: string | null;
  readonly due_date: string | null;
}

/** Levels of epics below one: parents are refused beyond. */
const LEVELS = 7;

/** An epic below one of the roots. */
interface Below {
  readonly root: number;
  readonly id: number;
  /** Whether no date is fixed on the way to it: which of the two dates of the root the way is open for still. */
  readonly from_start: boolean;
  readonly from_due: boolean;
  readonly level: number;
}

/** Starts a query over `tree`, the epics below some roots by the way to them on which no date is fixed. */
const withTree = (db: QueryCreator<PlanningDatabase>, roots: Expression<readonly number[]>) =>
  db.withRecursive('tree(root, id, from_start, from_due, level)', (of) =>
    of
      .selectFrom(unnested(roots, 'bigint').as('e'))
      .select((eb) => [
        'e.value as root',
        'e.value as id',
        eb.lit(true).as('from_start'),
        eb.lit(true).as('from_due'),
        eb.lit(1).as('level'),
      ])
      .$castTo<Below>()
      .unionAll(
        of
          .selectFrom('tree as t')
          .innerJoin('epics as c', 'c.parent_id', 't.id')
          .select((eb) => [
            't.root',
            'c.id',
            eb.and([eb.ref('t.from_start'), eb.not(eb.ref('c.start_date_is_fixed'))]).as('from_start'),
            eb.and([eb.ref('t.from_due'), eb.not(eb.ref('c.due_date_is_fixed'))]).as('from_due'),
            eb('t.level', '+', eb.lit(1)).as('level'),
          ])
          .where((eb) => eb.or([eb.ref('t.from_start'), eb.ref('t.from_due')]))
          .where((eb) => eb('t.level', '<=', eb.lit(LEVELS)))
          .$castTo<Below>(),
      ),
  );

/** Days `d` that lie below the roots, each from a milestone of an issue or from an epic. */
const datesBelow = (roots: Expression<readonly number[]>) =>
  withTree(queries<PlanningDatabase>(), roots)
    .with('d', (of) =>
      of
        .selectFrom('tree as t')
        .innerJoin('epic_issues as x', 'x.epic_id', 't.id')
        .innerJoin('issues as o', 'o.id', 'x.issue_id')
        .innerJoin('milestones as m', 'm.id', 'o.milestone_id')
        .select((eb) => [
          't.root',
          eb.case().when(eb.ref('t.from_start')).then(eb.ref('m.start_date')).end().as('start_date'),
          eb.case().when(eb.ref('t.from_due')).then(eb.ref('m.due_date')).end().as('due_date'),
        ])
        .unionAll(
          of
            .selectFrom('tree as t')
            .innerJoin('epics as c', 'c.parent_id', 't.id')
            .select((eb) => [
              't.root',
              eb
                .case()
                .when(eb.and([eb.ref('t.from_start'), eb.ref('c.start_date_is_fixed')]))
                .then(eb.ref('c.start_date_fixed'))
                .end()
                .as('start_date'),
              eb
                .case()
                .when(eb.and([eb.ref('t.from_due'), eb.ref('c.due_date_is_fixed')]))
                .then(eb.ref('c.due_date_fixed'))
                .end()
                .as('due_date'),
            ])
            .where((eb) => eb.or([eb.ref('c.start_date_is_fixed'), eb.ref('c.due_date_is_fixed')])),
        ),
    )
    .selectFrom('d');

const ownTree = sql<number[]>`array[${onEpics.ref('i.id')}]`;

/** The day on which epic `i` begins: the chosen one, or what comes from below. */
export const startOfEpic: Expression<string | null> = onEpics
  .case()
  .when(onEpics.ref('i.start_date_is_fixed'))
  .then(onEpics.ref('i.start_date_fixed'))
  .else(scalar(datesBelow(ownTree).select((eb) => eb.fn.min('d.start_date').as('day'))))
  .end();

/** The day on which epic `i` ends. */
export const endOfEpic: Expression<string | null> = onEpics
  .case()
  .when(onEpics.ref('i.due_date_is_fixed'))
  .then(onEpics.ref('i.due_date_fixed'))
  .else(scalar(datesBelow(ownTree).select((eb) => eb.fn.max('d.due_date').as('day'))))
  .end();

const findInherited = prepareQuery<
  PlanningDatabase,
  { ids: readonly number[] },
  InheritedDates & { readonly id: number }
>((_db, { ids }) =>
  datesBelow(ids)
    .select((eb) => [
      'd.root as id',
      eb.fn.min('d.start_date').as('start_date'),
      eb.fn.max('d.due_date').as('due_date'),
    ])
    .groupBy('d.root'),
);

/** What dates come to each epic from below. */
export const inheritedDates = load(
  (epic: Readonly<ListedEpic>) => epic.id,
  async (ctx, epics): Promise<Map<number, InheritedDates>> => {
    const rows = await findInherited(ctx, { ids: epics.map(({ id }) => id) });
    return new Map(rows.map((row) => [row.id, row]));
  },
);
