import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool, Kysely } from 'kysely';
import { containerColumn } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { anyOf } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { load } from '../../core/context/loads.js';
import type { Container } from '../../tenancy/containers/container.js';
import { User } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import { Label } from '../labels/label.entity.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { integer } from '../../core/operations/fields.js';
import { Board, BoardList } from './board.entity.js';
import type { BoardListRecord, BoardRecord } from './board.entity.js';

type OfBoards = Aliased<PlanningDatabase, { b: 'boards' }>;
const onBoards = expressionBuilder<OfBoards, 'b'>();

const selectBoards = (query: SelectQueryBuilder<OfBoards, 'b', object>) =>
  query
    .leftJoin('users as u', 'u.id', 'b.assignee_id')
    .select([...columns(Board, 'b'), ...nestedOrNull('assignee', User, 'u', { only: USER_SUMMARY })]);

/** The boards of a project or group, the first one first. */
export function findBoards(container: Container, where: readonly Expression<SqlBool>[] = []): List<BoardRecord> {
  const list: List<BoardRecord> = {
    matching: expressionBuilder<OfBoards>().selectFrom('boards as b'),
    select: selectBoards,
    order: [byId('b', 'asc')],
    read: (row) => ({ ...row, container }),
  };
  return narrow(list, [onBoards(`b.${containerColumn(container.kind)}`, '=', container.id), ...where]);
}

/** A board of this very project or group; in a transaction locked. @throws NotFound "404 Board Not Found" */
export async function findBoard(ctx: Context, container: Container, id: number): Promise<BoardRecord> {
  if (ctx.inTransaction)
    await ctx.em
      .getKysely<PlanningDatabase>()
      .selectFrom('boards as b')
      .select('b.id')
      .where('b.id', '=', id)
      .forNoKeyUpdate()
      .execute();
  const [board] = await readAll(ctx, findBoards(container, [onBoards('b.id', '=', id)]));
  if (!board) throw new NotFound('Board');
  return board;
}

const LIST_COLUMNS = (Object.keys(BoardList.meta.properties) as (keyof BoardList & string)[]).filter(
  (name) => name !== 'position',
);

/** The lists of boards, each with its position within its board. */
const findLists = prepareQuery<PlanningDatabase, { ids: readonly number[] }, BoardListRecord>((db, { ids }) =>
  db
    .selectFrom('board_lists as bl')
    .leftJoin('labels as l', 'l.id', 'bl.label_id')
    .leftJoin('users as u', 'u.id', 'bl.assignee_id')
    .select((eb) => {
      const position = eb.fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('bl.board_id').orderBy('bl.position').orderBy('bl.id'));
      return [
        ...columns(BoardList, 'bl', LIST_COLUMNS),
        eb(position, '-', eb.lit(1)).as('position'),
        ...nestedOrNull('label', Label, 'l'),
        ...nestedOrNull('assignee', User, 'u', { only: USER_SUMMARY }),
      ];
    })
    .where('bl.board_id', '=', anyOf(ids, 'bigint'))
    .orderBy('bl.board_id')
    .orderBy('bl.position')
    .orderBy('bl.id'),
);

/** The lists of a board, from left to right. */
export const loadBoardLists = (ctx: Context, { id }: Pick<BoardRecord, 'id'>): Promise<BoardListRecord[]> =>
  findLists(ctx, { ids: [id] });

/** A list of this very board. @throws NotFound "404 List Not Found" */
export async function findBoardList(ctx: Context, board: BoardRecord, id: number): Promise<BoardListRecord> {
  const found = (await loadBoardLists(ctx, board)).find((one) => one.id === id);
  if (!found) throw new NotFound('List');
  return found;
}

/** The lists of each board. */
export const listsOfBoards = load(
  (board: Readonly<BoardRecord>) => board.id,
  async (ctx, boards): Promise<Map<number, BoardListRecord[]>> => {
    const found = new Map<number, BoardListRecord[]>(boards.map(({ id }) => [id, []]));
    const rows = await findLists(ctx, { ids: [...found.keys()] });
    for (const row of rows) found.get(row.board_id)?.push(row);
    return found;
  },
);

const findLabels = prepareQuery((db: Kysely<PlanningDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom('board_labels as x')
    .innerJoin('labels as l', 'l.id', 'x.label_id')
    .select(['x.board_id', ...columns(Label, 'l')])
    .where('x.board_id', '=', anyOf(ids, 'bigint'))
    .orderBy('l.title')
    .orderBy('l.id'),
);

/** What issues on each board have: labels, by title. */
export const labelsOfBoards = load(
  (board: Readonly<BoardRecord>) => board.id,
  async (ctx, boards): Promise<Map<number, Label[]>> => {
    const found = new Map<number, Label[]>(boards.map(({ id }) => [id, []]));
    const rows = await findLabels(ctx, { ids: [...found.keys()] });
    for (const row of rows) found.get(row.board_id)?.push(row);
    return found;
  },
);

/** Names the board in a path. */
export const boardParam = { board_id: integer().describe('ID of the board.') };
