import type { ContainerType } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { unnestedRows } from '../../core/database/expressions.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { integer, optional } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { getAtLeastOne, mutuallyExclusive } from '../../core/operations/params.js';
import type { Container } from '../../tenancy/containers/container.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { BoardList } from './board.entity.js';
import type { BoardListRecord, BoardRecord } from './board.entity.js';
import { findBoard, findBoardList, loadBoardLists, boardParam } from './board.finder.js';
import { boardPolicy } from './board.policy.js';
import { findBoardRecordId, findBoardUser } from './board-scope.js';

/** More lists than users view side by side. */
const MAX_LISTS = 200;

const OF = ['label_id', 'assignee_id', 'milestone_id', 'iteration_id'];

const listParam = { list_id: integer().describe('ID of the list.') };

interface BoardListAttributes {
  label_id?: number | undefined;
  assignee_id?: number | undefined;
  milestone_id?: number | undefined;
  iteration_id?: number | undefined;
}

type Chosen = Partial<Pick<BoardList, 'label_id' | 'assignee_id' | 'milestone_id'>> & Pick<BoardList, 'list_type'>;

/** An error in the format that the public API uses for board lists. */
const problem = (error: string) => new Invalid({ error });

/** The record that a list is for. @throws Invalid if it does not exist in the project or group */
async function chosen(ctx: Context, container: Container, attributes: BoardListAttributes): Promise<Chosen> {
  if (attributes.label_id !== undefined) {
    const label_id = await findBoardRecordId(ctx, container, 'label', attributes.label_id);
    if (label_id === null) throw problem('Label not found!');
    return { list_type: 'label', label_id };
  }
  if (attributes.milestone_id !== undefined) {
    const milestone_id = await findBoardRecordId(ctx, container, 'milestone', attributes.milestone_id);
    if (milestone_id === null) throw problem('Milestone not found!');
    return { list_type: 'milestone', milestone_id };
  }
  if (attributes.assignee_id !== undefined) {
    const user = await findBoardUser(ctx, container, attributes.assignee_id);
    if (!user) throw problem('User not found!');
    return { list_type: 'assignee', assignee_id: user.id };
  }
  // There are no iterations.
  throw problem('Iteration not found!');
}

/** Records the event that the lists of a board changed. */
function recordArrangement(ctx: Context, { id, name, container }: BoardRecord): void {
  ctx.record({ type: 'board.arranged', container: container.summary, board: { id, name } });
}

/** Whether a list is of the same thing. */
const isOf = (list: BoardListRecord, { label_id = null, assignee_id = null, milestone_id = null }: Chosen): boolean =>
  (list.label_id ?? null) === label_id &&
  (list.assignee_id ?? null) === assignee_id &&
  (list.milestone_id ?? null) === milestone_id;

async function add(
  ctx: Context,
  container: Container,
  board: BoardRecord,
  attributes: BoardListAttributes,
): Promise<BoardListRecord> {
  const what = await chosen(ctx, container, attributes);
  const lists = await loadBoardLists(ctx, board);
  if (lists.some((list) => isOf(list, what))) throw new Invalid({ [what.list_type]: ['has already been taken'] });
  if (lists.length >= MAX_LISTS) throw new Invalid({ base: [`A board has at most ${MAX_LISTS} lists`] });
  const last = await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('board_lists as bl')
    .select((eb) => eb.fn.max<number | null>('bl.position').as('position'))
    .where('bl.board_id', '=', board.id)
    .executeTakeFirst();
  const now = ctx.clock.now();
  const position = (last?.position ?? -1) + 1;
  const id = await ctx.em.insert(BoardList, {
    board_id: board.id,
    ...what,
    position,
    created_at: now,
    updated_at: now,
  });
  recordArrangement(ctx, board);
  return findBoardList(ctx, board, id);
}

/** Puts a list at another position; all lists are numbered from 0 again. The board is locked: callers take turns. */
async function move(ctx: Context, board: BoardRecord, id: number, position: number): Promise<BoardListRecord> {
  const list = await findBoardList(ctx, board, id);
  const ids = (await loadBoardLists(ctx, board)).map((one) => one.id);
  if (position < 0 || position >= ids.length) throw problem('List could not be moved!');
  const order = ids.filter((one) => one !== id).toSpliced(position, 0, id);
  const positions = order.map((one, at) => ({ id: one, at }));
  await ctx.em
    .getKysely<PlanningDatabase>()
    .updateTable('board_lists as t')
    .from(unnestedRows(positions, { id: 'bigint', at: 'int' }).as('u'))
    .set((eb) => ({ position: eb.ref('u.at'), updated_at: ctx.clock.now() }))
    .whereRef('t.id', '=', 'u.id')
    .whereRef('t.position', '<>', 'u.at')
    .execute();
  recordArrangement(ctx, board);
  return { ...list, position };
}

/** The lists of the boards of a project or group; changing them: Planners, Reporters and above. */
export function boardListOperations({ kind, noun, resource }: ContainerType<Container>) {
  const readable = {
    resource,
    can: can(boardPolicy, 'read_issue_board'),
    authentication: 'open',
    kind: 'read',
    statements: 8,
  } as const;
  const writable = { resource, can: can(boardPolicy, 'admin_issue_board'), kind: 'write', statements: 20 } as const;
  return {
    listLists: operation({
      name: `list${noun}BoardLists`,
      ...readable,
      summary: `List the lists of a board of a ${kind}`,
      params: boardParam,
      run: async (ctx, container, { board_id }) => loadBoardLists(ctx, await findBoard(ctx, container, board_id)),
    }),
    getList: operation({
      name: `get${noun}BoardList`,
      ...readable,
      summary: `Read a list of a board of a ${kind}`,
      params: { ...boardParam, ...listParam },
      run: async (ctx, container, { board_id, list_id }) =>
        findBoardList(ctx, await findBoard(ctx, container, board_id), list_id),
    }),
    createList: operation({
      name: `create${noun}BoardList`,
      ...writable,
      summary: `Create a list of a board of a ${kind}`,
      example: { label_id: 1 },
      params: {
        ...boardParam,
        label_id: optional(integer()).describe('ID of the label of the issues in the list.'),
        assignee_id: optional(integer()).describe('ID of the assignee of the issues in the list.'),
        milestone_id: optional(integer()).describe('ID of the milestone of the issues in the list.'),
        iteration_id: optional(integer()).describe('ID of an iteration; this service has no iterations.'),
      },
      rules: [getAtLeastOne(...OF), mutuallyExclusive(...OF)],
      run: async (ctx, container, { board_id, ...attributes }) =>
        add(ctx, container, await findBoard(ctx, container, board_id), attributes),
    }),
    moveList: operation({
      name: `move${noun}BoardList`,
      ...writable,
      summary: `Move a list of a board of a ${kind}`,
      params: {
        ...boardParam,
        ...listParam,
        position: integer().describe('Position of the list on the board, from 0, from left to right.'),
      },
      run: async (ctx, container, { board_id, list_id, position }) =>
        move(ctx, await findBoard(ctx, container, board_id), list_id, position),
    }),
    removeList: operation({
      name: `delete${noun}BoardList`,
      ...writable,
      summary: `Delete a list of a board of a ${kind}`,
      params: { ...boardParam, ...listParam },
      async run(ctx, container, { board_id, list_id }): Promise<void> {
        const board = await findBoard(ctx, container, board_id);
        await findBoardList(ctx, board, list_id);
        if ((await ctx.em.nativeDelete(BoardList, { id: list_id })) === 0) throw new NotFound('List');
        recordArrangement(ctx, board);
      },
    }),
  };
}
