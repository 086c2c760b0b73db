import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { allOf, anyIn } from '../../core/database/expressions.js';
import { asQueryOf } from '../../core/database/tables.js';
import type { Aliased } from '../../core/database/tables.js';
import { isAtOrBelow } from '../../tenancy/namespaces/below.js';
import type { PlanningDatabase } from '../planning.entities.js';

type OfBoards = Aliased<PlanningDatabase, { b: 'boards'; n: 'namespaces'; k: 'labels' }>;
const onBoards = expressionBuilder<OfBoards, 'b' | 'n'>();

/** What lists are of: the table, and the column that names a row of it. Milestones have the columns of labels too. */
const KINDS = [
  { table: 'labels', column: 'label_id' },
  { table: 'milestones' as 'labels', column: 'milestone_id' as 'label_id' },
] as const;

/** Boards `b` with the namespace `n` in or above which their labels and milestones lie. */
const boardsWithNamespaces = () =>
  asQueryOf<OfBoards, 'b' | 'n'>()(
    expressionBuilder<PlanningDatabase>()
      .selectFrom('boards as b')
      .leftJoin('projects as p', 'p.id', 'b.project_id')
      .innerJoin('namespaces as n', (join) =>
        join.on((eb) => eb('n.id', '=', eb.fn.coalesce('p.namespace_id', 'b.namespace_id').$castTo<number>())),
      ),
  );

/** Whether the record `k` referenced by board `b` belongs to a group outside the board's hierarchy. */
const isElsewhere = expressionBuilder<OfBoards, 'k' | 'n'>().and([
  expressionBuilder<OfBoards, 'k'>()('k.namespace_id', 'is not', null),
  expressionBuilder<OfBoards, 'k' | 'n'>()('k.namespace_id', '<>', allOf(onBoards.ref('n.traversal_ids'), 'bigint')),
]);

/** Lists of moved boards that reference records of a group outside the new hierarchy. */
const lostLists = ({ table, column }: (typeof KINDS)[number], moved: Expression<SqlBool>) =>
  boardsWithNamespaces()
    .innerJoin('board_lists as bl', 'bl.board_id', 'b.id')
    .innerJoin(`${table} as k`, 'k.id', `bl.${column}`)
    .select(['bl.id', 'bl.board_id', 'k.title', 'b.project_id', 'n.traversal_ids'])
    .where(moved)
    .where(isElsewhere);

/** The same with what of the same title there is where their boards are now. */
const foundLists = (kind: (typeof KINDS)[number], moved: Expression<SqlBool>) =>
  expressionBuilder<PlanningDatabase>()
    .selectFrom(lostLists(kind, moved).as('lost'))
    .crossJoinLateral((eb) =>
      eb
        .selectFrom(`${kind.table} as k`)
        .select('k.id')
        .whereRef('k.title', '=', 'lost.title')
        .where((of) =>
          of.or([
            of('k.project_id', '=', of.ref('lost.project_id')),
            of('k.namespace_id', '=', anyIn(of.ref('lost.traversal_ids'))),
          ]),
        )
        .orderBy('k.project_id', (order) => order.asc().nullsLast())
        .orderBy('k.id')
        .limit(1)
        .as('known'),
    )
    .select(['lost.id', 'known.id as known_id']);

/**
 * Points the lists of moved boards to the records with the same title in their new location. Deletes lists without a
 * match, and clears the boards' own references to records of other groups.
 * @param moved a condition on boards `b` and the namespace `n` around them
 */
async function syncBoards(ctx: Context<Caller>, moved: Expression<SqlBool>): Promise<void> {
  const db = ctx.em.getKysely<PlanningDatabase>();
  for (const kind of KINDS) {
    const { column } = kind;
    await db
      .updateTable('board_lists as bl')
      .from(foundLists(kind, moved).as('found'))
      .set((eb) => ({ [column]: eb.ref('found.known_id') }))
      .whereRef('bl.id', '=', 'found.id')
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('board_lists as o')
              .select(eb.lit(1).as('one'))
              .whereRef('o.board_id', '=', 'bl.board_id')
              .whereRef(`o.${column}`, '=', 'found.known_id'),
          ),
        ),
      )
      .execute();
    await db
      .deleteFrom('board_lists as bl')
      .using(lostLists(kind, moved).as('lost'))
      .whereRef('bl.id', '=', 'lost.id')
      .execute();
  }
  const lostLabels = boardsWithNamespaces()
    .innerJoin('board_labels as x', 'x.board_id', 'b.id')
    .innerJoin('labels as k', 'k.id', 'x.label_id')
    .select(['x.board_id', 'x.label_id'])
    .where(moved)
    .where(isElsewhere);
  await db
    .deleteFrom('board_labels as x')
    .using(lostLabels.as('lost'))
    .whereRef('x.board_id', '=', 'lost.board_id')
    .whereRef('x.label_id', '=', 'lost.label_id')
    .execute();
  const lostMilestones = boardsWithNamespaces()
    .innerJoin('milestones as k', 'k.id', 'b.milestone_id')
    .select('b.id')
    .where(moved)
    .where(isElsewhere);
  await db
    .updateTable('boards as t')
    .from(lostMilestones.as('lost'))
    .set({ milestone_id: null })
    .whereRef('t.id', '=', 'lost.id')
    .execute();
}

/** Has the boards of a project that was transferred follow it. */
export const syncBoardsOfProject = (ctx: Context<Caller>, projectId: number): Promise<void> =>
  syncBoards(ctx, onBoards('b.project_id', '=', projectId));

/** The same for all boards in and below a group that was transferred. */
export const syncBoardsOfGroup = (ctx: Context<Caller>, groupId: number): Promise<void> =>
  syncBoards(ctx, isAtOrBelow('n', groupId));
