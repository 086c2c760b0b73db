import type { QueryCreator } from 'kysely';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { constant, scalar } from '../../core/database/expressions.js';
import { Conflict, NotFound } from '../../core/values/errors.js';
import { integer, optional } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { Issue } from './issue.entity.js';
import type { IssueRecord } from './issue.entity.js';
import { findIssue, issue } from './issue.finder.js';
import { issuePolicy } from './issue.policy.js';
import { GAP, selectPosition } from '../issuables/move-among-siblings.js';
import { visibleIssuesOf } from './visible-issues.js';

/** Issues on either side that make room where there is none left. */
const NEIGHBOURS = 200;

const position = selectPosition('i');

/** The position of an issue of the same project. @throws NotFound */
async function positionOfIssue(ctx: Context, found: IssueRecord, id: number): Promise<number> {
  const row = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('issues as i')
    .select(position.as('position'))
    .where('i.id', '=', id)
    .where(visibleIssuesOf(ctx, found.project))
    .executeTakeFirst();
  if (!row) throw new NotFound();
  return row.position;
}

/** The position of the issue next to one, leaving the one that moves aside; null at the end. */
async function nextTo(ctx: Context, found: IssueRecord, from: number, side: '<' | '>'): Promise<number | null> {
  const row = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('issues as i')
    .select(position.as('position'))
    .where('i.project_id', '=', found.project_id)
    .where('i.id', '<>', found.id)
    .where((eb) => eb(position, side, eb.val(from)))
    .orderBy(position, side === '<' ? 'desc' : 'asc')
    .limit(1)
    .executeTakeFirst();
  return row?.position ?? null;
}

/** Spreads the issues around a position evenly between those beyond them. */
async function makeRoom(ctx: Context, { project_id: projectId }: IssueRecord, around: number): Promise<void> {
  const inProject = (db: QueryCreator<PlanningDatabase>) =>
    db.selectFrom('issues as i').where('i.project_id', '=', projectId);
  await ctx.em
    .getKysely<PlanningDatabase>()
    .with('below', (db) =>
      inProject(db)
        .select(['i.id', position.as('at')])
        .where((eb) => eb(position, '<=', around))
        .orderBy(position, 'desc')
        .orderBy('i.id', 'desc')
        .limit(constant(NEIGHBOURS)),
    )
    .with('above', (db) =>
      inProject(db)
        .select(['i.id', position.as('at')])
        .where((eb) => eb(position, '>', around))
        .orderBy(position)
        .orderBy('i.id')
        .limit(constant(NEIGHBOURS)),
    )
    .with('chosen', (db) =>
      db
        .selectFrom('below')
        .select(['id', 'at'])
        .unionAll(db.selectFrom('above').select(['id', 'at'])),
    )
    .with('bounds', (db) => {
      const chosen = db.selectFrom('chosen');
      const first = scalar(chosen.select((eb) => eb.fn.min('at').as('at')));
      const last = scalar(chosen.select((eb) => eb.fn.max('at').as('at')));
      const before = inProject(db)
        .select((eb) => eb.fn.max(position).as('at'))
        .where((eb) => eb(position, '<', first));
      const after = inProject(db)
        .select((eb) => eb.fn.min(position).as('at'))
        .where((eb) => eb(position, '>', last));
      return db.selectNoFrom((eb) => [
        eb.fn.coalesce(scalar(before), eb(first, '-', constant(GAP))).as('low'),
        eb.fn.coalesce(scalar(after), eb(last, '+', constant(GAP))).as('high'),
        scalar(chosen.select((of) => of.fn.countAll<number>().as('count'))).as('count'),
      ]);
    })
    .with('numbered', (db) =>
      db.selectFrom('chosen').select((eb) => [
        'id',
        eb.fn
          .agg<number>('row_number')
          .over((over) => over.orderBy('at').orderBy('id'))
          .as('number'),
      ]),
    )
    .updateTable('issues as t')
    .from(['numbered as c', 'bounds as b'])
    .set((eb) => {
      const step = eb(eb.parens('b.high', '-', eb.ref('b.low')), '/', eb.parens('b.count', '+', eb.lit(1)));
      return { relative_position: eb('b.low', '+', eb(step, '*', eb.ref('c.number'))) };
    })
    .whereRef('t.id', '=', 'c.id')
    .execute();
}

interface Neighbours {
  move_before_id?: number | undefined;
  move_after_id?: number | undefined;
}

/** The positions around the target position. In the public API, `move_before_id` precedes the issue afterwards. */
async function findGap(
  ctx: Context,
  found: IssueRecord,
  neighbours: Neighbours,
): Promise<{ low: number; high: number }> {
  const { move_before_id: beforeId, move_after_id: afterId } = neighbours;
  const before = beforeId === undefined ? null : await positionOfIssue(ctx, found, beforeId);
  const after = afterId === undefined ? null : await positionOfIssue(ctx, found, afterId);
  const low = before ?? (await nextTo(ctx, found, after ?? 0, '<')) ?? (after ?? 0) - 2 * GAP;
  const high = after ?? (await nextTo(ctx, found, low, '>')) ?? low + 2 * GAP;
  return { low, high };
}

async function reorder(ctx: SignedInContext, found: IssueRecord, neighbours: Neighbours): Promise<IssueRecord> {
  let { low, high } = await findGap(ctx, found, neighbours);
  if (high - low < 2) {
    await makeRoom(ctx, found, low);
    ({ low, high } = await findGap(ctx, found, neighbours));
  }
  if (high - low < 2) throw new Conflict('The issues do not stand next to each other in this order');
  await ctx.em.nativeUpdate(Issue, { id: found.id }, { relative_position: low + Math.floor((high - low) / 2) });
  return findIssue(ctx, found.project, found.iid);
}

/** Put an issue between others of its project, as boards and lists by hand have them. */
export const reorderIssue = operation({
  name: 'reorderIssue',
  summary: 'Reorder an issue',
  resource: issue,
  can: can(issuePolicy, 'update_issue'),
  kind: 'write',
  statements: 18,
  example: { move_after_id: 2 },
  params: {
    move_before_id: optional(integer()).describe('Global ID of the issue that comes before the moved one.'),
    move_after_id: optional(integer()).describe('Global ID of the issue that comes after the moved one.'),
  },
  rules: [getAtLeastOne('move_after_id', 'move_before_id')],
  run: reorder,
});
