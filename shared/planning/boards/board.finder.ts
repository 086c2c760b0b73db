import { containerColumn } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { byId, readAll } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import { load } from '../../core/loads.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { Container } from '../../tenancy/containers/container.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import { Label } from '../labels/label.entity.js';
import { Board, BoardList } from './board.entity.js';
import type { BoardListRecord, BoardRecord } from './board.record.js';

/** The boards of a project or group, the first one first. */
export function boardsOf(container: Container, where: readonly Fragment[] = []): TextList<BoardRecord> {
  return {
    select: sql`${textColumns(Board, 'b')}, ${userSummaryColumns('u', 'assignee.')}`,
    from: sql`boards b left join users u on u.id = b.assignee_id`,
    matching: sql`boards b`,
    where: [sql`b.${containerColumn(container.kind)} = ${container.id}`, ...where],
    order: [byId('b', 'asc')],
    read: (row) => ({ ...row, container }),
  };
}

/** A board of this very project or group; in a transaction locked. @throws NotFound "404 Board Not Found" */
export async function findBoard(ctx: Context, container: Container, id: number): Promise<BoardRecord> {
  if (ctx.inTransaction) await ctx.query(sql`select b.id from boards b where b.id = ${id} for no key update`);
  const [board] = await readAll(ctx, boardsOf(container, [sql`b.id = ${id}`]));
  if (!board) throw new NotFound('Board');
  return board;
}

const lists = (where: Fragment): Fragment => sql`
  select ${textColumns(
    BoardList,
    'bl',
    '',
    Object.keys(BoardList.meta.properties).filter((name) => name !== 'position'),
  )},
         row_number() over (partition by bl.board_id order by bl.position, bl.id) - 1 as "position",
         ${textColumns(Label, 'l', 'label.')}, ${userSummaryColumns('u', 'assignee.')}
    from board_lists bl left join labels l on l.id = bl.label_id left join users u on u.id = bl.assignee_id
   where ${where} order by bl.board_id, bl.position, bl.id`;

/** The lists of a board, from left to right. */
export const listsOf = (ctx: Context, { id }: Pick<BoardRecord, 'id'>): Promise<BoardListRecord[]> =>
  ctx.query<BoardListRecord>(lists(sql`bl.board_id = ${id}`));

/** A list of this very board. @throws NotFound "404 List Not Found" */
export async function findBoardList(ctx: Context, board: BoardRecord, id: number): Promise<BoardListRecord> {
  const found = (await listsOf(ctx, board)).find((one) => one.id === id);
  if (!found) throw new NotFound('List');
  return found;
}

/** The lists of each board. */
export const listsOfBoards = load(
  (board: Readonly<BoardRecord>) => board.id,
  async (ctx, boards): Promise<Map<number, BoardListRecord[]>> => {
    const found = new Map<number, BoardListRecord[]>(boards.map(({ id }) => [id, []]));
    const rows = await ctx.query<BoardListRecord>(lists(sql`bl.board_id = any(${[...found.keys()]}::bigint[])`));
    for (const row of rows) found.get(row.board_id)?.push(row);
    return found;
  },
);

/** What issues on each board have: labels, by title. */
export const labelsOfBoards = load(
  (board: Readonly<BoardRecord>) => board.id,
  async (ctx, boards): Promise<Map<number, Label[]>> => {
    const found = new Map<number, Label[]>(boards.map(({ id }) => [id, []]));
    const rows = await ctx.query<Label & { board_id: number }>(sql`
      select x.board_id as "board_id", ${textColumns(Label, 'l')} from board_labels x join labels l on l.id = x.label_id
       where x.board_id = any(${[...found.keys()]}::bigint[]) order by l.title, l.id`);
    for (const row of rows) found.get(row.board_id)?.push(row);
    return found;
  },
);
