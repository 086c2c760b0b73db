import { containerColumns } from '../../core/operations/container.js';
import type { ContainerType } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { allOf, unnested } from '../../core/database/expressions.js';
import { lockName } from '../../core/database/lock-name.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { boolean, clearable, integer, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { readAll } from '../../core/database/list.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import { forContainers, lockContainer } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { optionalParam, labelTitles } from '../issuables/issue-values.js';
import { labelsOfTitles } from '../issuables/labels-of-titles.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { Board } from './board.entity.js';
import type { BoardRecord } from './board.entity.js';
import { findBoards, findBoard, boardParam } from './board.finder.js';
import { boardListOperations } from './board-list.operations.js';
import { boardPolicy } from './board.policy.js';
import { findBoardRecordId, findBoardUser } from './board-scope.js';

const MAX_NAME = 255;

/** @throws Invalid */
function getName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new Invalid({ name: ["can't be blank"] });
  if ([...trimmed].length > MAX_NAME) throw new Invalid({ name: [`is too long (maximum is ${MAX_NAME} characters)`] });
  return trimmed;
}

const editParams = {
  name: optionalParam(text()).describe('Name of the board.'),
  hide_backlog_list: optional(boolean()).describe('If `true`, hides the list of all other open issues.'),
  hide_closed_list: optional(boolean()).describe('If `true`, hides the list of closed issues.'),
  milestone_id: optionalParam(clearable(integer())).describe(
    "ID of the milestone of the board's issues; 0 for any milestone.",
  ),
  assignee_id: optionalParam(clearable(integer())).describe(
    "ID of the assignee of the board's issues; 0 for any assignee.",
  ),
  labels: labelTitles().describe("Titles of labels of the board's issues."),
  weight: optionalParam(clearable(integer())).describe("Weight of the board's issues; empty for any weight."),
};

interface Change {
  name?: string | undefined;
  hide_backlog_list?: boolean | undefined;
  hide_closed_list?: boolean | undefined;
  milestone_id?: number | null | undefined;
  assignee_id?: number | null | undefined;
  labels?: readonly string[] | undefined;
  weight?: number | null | undefined;
}

/** @throws Invalid for references to records that the project or group does not have */
async function getColumns(ctx: Context, container: Container, change: Change) {
  const { name, milestone_id, assignee_id, weight } = change;
  const columns: Record<string, unknown> = {};
  for (const flag of ['hide_backlog_list', 'hide_closed_list'] as const)
    if (change[flag] !== undefined) columns[flag] = change[flag];
  if (name !== undefined) columns.name = getName(name);
  if (weight !== undefined) {
    if (weight !== null && (weight < 0 || weight > 2 ** 31 - 1)) throw new Invalid({ weight: ['is invalid'] });
    columns.weight = weight;
  }
  if (milestone_id !== undefined) {
    columns.milestone_id = milestone_id ? await findBoardRecordId(ctx, container, 'milestone', milestone_id) : null;
    if (milestone_id && !columns.milestone_id) throw new Invalid({ milestone_id: ['is invalid'] });
  }
  if (assignee_id !== undefined) {
    columns.assignee_id = assignee_id ? ((await findBoardUser(ctx, container, assignee_id))?.id ?? null) : null;
    if (assignee_id && !columns.assignee_id) throw new Invalid({ assignee_id: ['is invalid'] });
  }
  return columns;
}

async function setLabels(ctx: Context, container: Container, boardId: number, titles: readonly string[]) {
  const all = titles.flatMap((one) => one.split(','));
  const labels = await labelsOfTitles(ctx, container.record, all);
  const ids = labels.map(({ id }) => id).sort((a, b) => a - b);
  const db = ctx.em.getKysely<PlanningDatabase>();
  await db
    .deleteFrom('board_labels')
    .where('board_id', '=', boardId)
    .where('label_id', '<>', allOf(ids, 'bigint'))
    .execute();
  await db
    .insertInto('board_labels')
    .columns(['board_id', 'label_id'])
    .expression((eb) =>
      eb
        .selectFrom(unnested(ids, 'bigint').as('u'))
        .select([eb.cast<number>(eb.val(boardId), 'bigint').as('board_id'), 'u.value']),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function edit(ctx: Context, container: Container, id: number, change: Change): Promise<BoardRecord> {
  await findBoard(ctx, container, id);
  const columns = { ...(await getColumns(ctx, container, change)), updated_at: ctx.clock.now() };
  await ctx.em.nativeUpdate(Board, { id }, columns);
  if (change.labels) await setLabels(ctx, container, id, change.labels);
  const after = await findBoard(ctx, container, id);
  ctx.record({ type: 'board.updated', container: container.summary, board: { id, name: after.name } });
  return after;
}

/** Until the transaction ends, no other one can open the boards of the project or group, or delete one of them. */
async function lockBoards(ctx: Context, { kind, id }: Container): Promise<void> {
  await lockName(ctx, `boards:${kind}:${id}`);
}

/** The last board of a project or group stays. @throws Invalid, NotFound */
async function remove(ctx: Context, container: Container, id: number): Promise<void> {
  await lockContainer(ctx, container);
  await lockBoards(ctx, container);
  const board = await findBoard(ctx, container, id);
  requireUnmodified(ctx, board);
  const { project_id = null, namespace_id = null } = board;
  const others = await ctx.em.count(Board, { id: { $ne: id }, project_id, namespace_id });
  if (others === 0) throw new Invalid('The board could not be deleted: it is the only one.');
  if ((await ctx.em.nativeDelete(Board, { id })) === 0) throw new NotFound('Board');
  ctx.record({ type: 'board.deleted', container: container.summary, board: { id, name: board.name } });
}

/** Reading boards requires read access to the issues of the project, or to the group. */
function readingOperations({ kind, noun, resource }: ContainerType<Container>) {
  const readable = {
    resource,
    can: can(boardPolicy, 'read_issue_board'),
    authentication: 'open',
    kind: 'read',
  } as const;
  return {
    list: operation({
      name: `list${noun}Boards`,
      ...readable,
      summary: `List the boards of a ${kind}`,
      statements: 10,
      run: (_ctx, container) => Promise.resolve(findBoards(container)),
    }),
    get: operation({
      name: `get${noun}Board`,
      ...readable,
      summary: `Read a board of a ${kind}`,
      statements: 10,
      params: boardParam,
      run: (ctx, container, { board_id }) => findBoard(ctx, container, board_id),
    }),
  };
}

async function insertBoard(ctx: Context, container: Container, name: string): Promise<BoardRecord> {
  const now = ctx.clock.now();
  const id = await ctx.em.insert(Board, {
    ...containerColumns(container),
    name,
    hide_backlog_list: false,
    hide_closed_list: false,
    created_at: now,
    updated_at: now,
  });
  ctx.record({ type: 'board.created', container: container.summary, board: { id, name } });
  return findBoard(ctx, container, id);
}

/** The name of a board created without a name. */
const FIRST_BOARD = 'Development';

/** Opening boards for the first time is allowed for signed-in users who can read them. */
function openingOperations({ kind, noun, resource }: ContainerType<Container>) {
  return {
    open: operation({
      name: `open${noun}Boards`,
      summary: `Open the boards of a ${kind}`,
      resource,
      can: can(boardPolicy, 'open_issue_boards'),
      kind: 'write',
      statements: 20,
      /** Creates the first board where there is none yet. @returns the first board */
      async run(ctx, container): Promise<BoardRecord> {
        await lockContainer(ctx, container);
        await lockBoards(ctx, container);
        const [first] = await readAll(ctx, findBoards(container));
        return first ?? insertBoard(ctx, container, FIRST_BOARD);
      },
    }),
  };
}

/** Changing boards: Planners, Reporters and above. */
function writingOperations({ kind, noun, resource }: ContainerType<Container>) {
  const writable = {
    resource,
    can: can(boardPolicy, 'admin_issue_board'),
    kind: 'write',
    statements: 26,
  } as const;
  return {
    create: operation({
      name: `create${noun}Board`,
      ...writable,
      summary: `Create a board of a ${kind}`,
      params: {
        name: text()
          .describe('Name of the board.')
          .meta({ examples: ['Delivery'] }),
      },
      async run(ctx, container, input): Promise<BoardRecord> {
        const name = getName(input.name);
        await lockContainer(ctx, container);
        return insertBoard(ctx, container, name);
      },
    }),
    update: operation({
      name: `update${noun}Board`,
      ...writable,
      summary: `Edit a board of a ${kind}`,
      example: { name: 'Delivery' },
      params: { ...boardParam, ...editParams },
      rules: [getAtLeastOne(...Object.keys(editParams))],
      run: (ctx, container, { board_id, ...change }) => edit(ctx, container, board_id, change),
    }),
    remove: operation({
      name: `delete${noun}Board`,
      ...writable,
      summary: `Delete a board of a ${kind}`,
      params: boardParam,
      run: (ctx, container, { board_id }) => remove(ctx, container, board_id),
    }),
  };
}

/** The operations on the boards of a project or group, and on their lists (core-resources.md section 8). */
export const boardOperations = forContainers((type) => ({
  ...readingOperations(type),
  ...openingOperations(type),
  ...writingOperations(type),
  ...boardListOperations(type),
}));
