import { sql } from 'kysely';
import type { AliasableExpression, Expression } from 'kysely';
import { constant } from '../../core/database/expressions.js';
import { namespaceAccess, today } from '../../tenancy/namespaces/access.js';
import {
  createMissingLabels,
  getRestoredId,
  groupMilestoneId,
  projectMilestoneId,
  nearestLabel,
} from './referenced-records.js';
import {
  attribute,
  selectAttribute,
  containerIds,
  copiedRows,
  selectElements,
  flag,
  idAt,
  integerAt,
  jsonAt,
  mayRead,
  nowIn,
  r,
  reserveIds,
  tables,
  textAt,
  time,
  timeAt,
  userWith,
} from '../archive-imports/restoring.js';
import type { Restorer, Restoring, RestoringGroup, RestoringProject } from '../archive-imports/restoring.js';

type Id = AliasableExpression<number | null>;
const NULL_ID = r.cast<number | null>(sql.lit(null), 'bigint');

/** Resolves the references of boards of a group or project. */
interface BoardNames {
  /** The label that the archive names by its id or title. */
  label(id: Id, title: Expression<string | null>): Id;
  /** The milestone that the archive names by its id, or by `milestone` of a column: `{iid, title, group_id, project_id}`. */
  milestone(id: Id, column: string): Id;
  /** The user of this instance who matches the archive user with this id, if boards can be assigned to them. */
  member(id: Id): Id;
}

/** Active users of the archive here. */
const activeUser = (restoring: Restoring, id: Id) =>
  tables(restoring)
    .selectFrom('users as u')
    .select('u.id')
    .where('u.id', '=', userWith(restoring, id) as Expression<number>)
    .where('u.state', 'in', [constant('active'), constant('deactivated')]);

const groupNames = (restoring: RestoringGroup): BoardNames => ({
  label: (id, title) => r.fn.coalesce(getRestoredId(restoring, 'labels', id), nearestLabel(restoring, title)),
  milestone: (id, column) => groupMilestoneId(restoring, id, column),
  // Members, also of groups above.
  member: (id) =>
    activeUser(restoring, id)
      .innerJoin('namespaces as n', (join) => join.on('n.id', '=', restoring.container.id))
      .where(namespaceAccess(sql.ref<number>('u.id'), today(restoring.ctx)), '>=', constant(10))
      .$asScalar(),
});

const projectNames = (restoring: RestoringProject): BoardNames => ({
  label: (_id, title) => nearestLabel(restoring, title),
  milestone: (_id, column) => projectMilestoneId(restoring, column),
  // Users who can read the issues.
  member: (id) =>
    activeUser(restoring, id).where(mayRead(restoring, restoring.container.record.issues_access_level)).$asScalar(),
});

const getNames = (restoring: Restoring): BoardNames =>
  restoring.container.kind === 'group'
    ? groupNames(restoring as RestoringGroup)
    : projectNames(restoring as RestoringProject);

const BOARDS = 'boards';

/** The kind of thing that a list is of. */
const LIST_TYPE = textAt('e.data', 'list_type');

/** Lists of the boards with what they are of here. */
function getLists(restoring: Restoring, names: BoardNames) {
  const of = (type: string, id: Id) =>
    r
      .case()
      .when(LIST_TYPE, '=', constant(type))
      .then(id as Expression<number>)
      .end();
  const assignee = r.cast<number | null>(
    r.fn.coalesce(textAt('e.data', 'assignee', 'id'), textAt('e.data', 'user_id')),
    'bigint',
  );
  return selectElements(restoring, BOARDS, 'lists').select([
    'r.made_id as board_id',
    'r.line',
    'e.at',
    'e.data',
    LIST_TYPE.as('list_type'),
    of('label', names.label(idAt('e.data', 'label_id'), textAt('e.data', 'label', 'title'))).as('label_id'),
    of('milestone', names.milestone(NULL_ID, 'e.data')).as('milestone_id'),
    of('assignee', names.member(assignee)).as('assignee_id'),
  ]);
}

/** Of how many things a list `l` is. */
const THINGS = sql<number>`num_nonnulls(l.label_id, l.milestone_id, l.assignee_id)`;

/** Lists of labels, milestones and members that there are. Two of one thing become one. */
async function restoreLists(restoring: Restoring, names: BoardNames): Promise<void> {
  const getTime = (name: string) => r.fn.coalesce(timeAt('l.data', name), nowIn(restoring.ctx));
  await tables(restoring)
    .insertInto('board_lists')
    .columns([
      ...(['board_id', 'list_type', 'label_id', 'milestone_id', 'assignee_id', 'position'] as const),
      ...(['created_at', 'updated_at'] as const),
    ])
    .expression((eb) =>
      eb
        .selectFrom(getLists(restoring, names).as('l'))
        .select(['l.board_id', 'l.list_type', 'l.label_id', 'l.milestone_id', 'l.assignee_id'])
        .select(({ cast, fn }) => [
          sql<number>`${fn.agg<number>('row_number').over((over) =>
            over
              .partitionBy('l.board_id')
              .orderBy(cast(textAt('l.data', 'position'), 'numeric'))
              .orderBy('l.at'),
          )} - 1`.as('position'),
          getTime('created_at').as('created_at'),
          getTime('updated_at').as('updated_at'),
        ])
        .where(THINGS, '=', constant(1))
        .orderBy('l.line')
        .orderBy('l.at'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Labels that boards and their lists name. */
const boardLabels = (restoring: Restoring) =>
  selectElements(restoring, BOARDS, 'lists')
    .select(['r.line', jsonAt('e.data', 'label').as('label')])
    .where(LIST_TYPE, '=', constant('label'))
    .unionAll(selectElements(restoring, BOARDS, 'labels').select(['r.line', 'e.data as label']));

async function restoreLabels(restoring: Restoring, names: BoardNames): Promise<void> {
  const found = selectElements(restoring, BOARDS, 'labels').select([
    'r.made_id',
    names.label(NULL_ID, textAt('e.data', 'title')).as('label_id'),
  ]);
  await tables(restoring)
    .insertInto('board_labels')
    .columns(['board_id', 'label_id'])
    .expression((eb) =>
      eb.selectFrom(found.as('x')).select(['x.made_id', 'x.label_id']).where('x.label_id', 'is not', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Rows of boards as they were made, as `b`. */
const restoredBoards = (restoring: Restoring) =>
  tables(restoring)
    .selectFrom('archive_import_rows as r')
    .innerJoin('boards as b', 'b.id', 'r.made_id')
    .where(copiedRows(restoring, BOARDS));

const concat = (...parts: Expression<unknown>[]) => r.fn<string>('concat', parts);

/** What boards and their lists are of that is not here: the line, the position within it, and a label. */
function getMissing(restoring: Restoring, names: BoardNames) {
  const getName = (name: string) =>
    sql<string | null>`(${sql.ref('l.data')} -> ${sql.ref('l.list_type')} ->> ${sql.lit(name)})`;
  const ofLists = tables(restoring)
    .selectFrom(getLists(restoring, names).as('l'))
    .select(({ fn, ref }) => [
      'l.line',
      'l.at',
      concat(
        constant('its list of the '),
        ref('l.list_type'),
        constant(' '),
        fn.coalesce(getName('title'), getName('username')),
      ).as('what'),
    ])
    .where('l.list_type', 'in', [constant('label'), constant('milestone'), constant('assignee')])
    .where(THINGS, '=', constant(0));
  const first = constant(0).as('at');
  const milestones = restoredBoards(restoring)
    .select(['r.line', first, concat(constant('its milestone '), selectAttribute('milestone', 'title')).as('what')])
    .where('b.milestone_id', 'is', null)
    .where((eb) =>
      eb.or([eb(selectAttribute('milestone', 'title'), 'is not', null), eb(attribute('milestone_id'), 'is not', null)]),
    );
  const assignees = restoredBoards(restoring)
    .select([
      'r.line',
      first,
      concat(constant('its assignee '), textAt('r.data', 'board_assignee', 'assignee', 'username')).as('what'),
    ])
    .where('b.assignee_id', 'is', null)
    .where(r.fn<string>('jsonb_typeof', [jsonAt('r.data', 'board_assignee')]), '=', constant('object'));
  return ofLists.unionAll(milestones).unionAll(assignees);
}

/** Records which scope of a board, or subject of one of its lists, is missing here. */
async function recordMissing(restoring: Restoring, names: BoardNames): Promise<void> {
  const missing = tables(restoring)
    .selectFrom(getMissing(restoring, names).as('m'))
    .select((eb) => [
      'm.line',
      eb.fn
        .agg<string>('string_agg', ['m.what', constant(', ')])
        .orderBy('m.at')
        .as('missing'),
    ])
    .groupBy('m.line');
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .from(missing.as('x'))
    .set((eb) => ({ problem: eb(constant<string>('is made without '), '||', eb.ref('x.missing')) }))
    .where(copiedRows(restoring, BOARDS))
    .whereRef('r.line', '=', 'x.line')
    .execute();
}

/** Deletes the board that was created with the group or project if it is unused and the archive has boards. */
async function removeFirstBoard(restoring: Restoring): Promise<void> {
  const { kind, id } = restoring.container;
  // Both tables have the columns used here.
  const [table, column] =
    kind === 'group' ? (['namespaces', 'namespace_id'] as const) : (['projects', 'project_id'] as const);
  await tables(restoring)
    .deleteFrom('boards as b')
    .using(`${table} as n` as 'namespaces as n')
    .where('n.id', '=', id)
    .whereRef(`b.${column}`, '=', 'n.id')
    .whereRef('b.created_at', '=', 'n.created_at')
    .whereRef('b.updated_at', '=', 'n.created_at')
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom('board_lists as l').select('l.id').whereRef('l.board_id', '=', 'b.id'))),
    )
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('archive_import_rows as r').select('r.line').where(copiedRows(restoring, BOARDS))),
    )
    .execute();
}

async function insertBoards(restoring: Restoring, names: BoardNames): Promise<void> {
  const assignee = r.cast<number | null>(
    r.fn.coalesce(
      textAt('r.data', 'board_assignee', 'assignee', 'id'),
      textAt('r.data', 'board_assignee', 'assignee_id'),
    ),
    'bigint',
  );
  await tables(restoring)
    .insertInto('boards')
    .columns([
      ...(['id', 'project_id', 'namespace_id', 'name', 'hide_backlog_list', 'hide_closed_list'] as const),
      ...(['milestone_id', 'assignee_id', 'weight', 'created_at', 'updated_at'] as const),
    ])
    .expression((eb) =>
      eb
        .selectFrom('archive_import_rows as r')
        .select([
          'r.made_id',
          ...containerIds(restoring),
          attribute('name').as('name'),
          flag('hide_backlog_list').as('hide_backlog_list'),
          flag('hide_closed_list').as('hide_closed_list'),
          names.milestone(idAt('r.data', 'milestone_id'), 'r.data').as('milestone_id'),
          names.member(assignee).as('assignee_id'),
          integerAt('r.data', 'weight').as('weight'),
          time(restoring, 'created_at').as('created_at'),
          time(restoring, 'updated_at').as('updated_at'),
        ])
        .where(copiedRows(restoring, BOARDS))
        .orderBy('r.line'),
    )
    .execute();
}

/** Boards of an archive with their lists. The board that the group or project was made with gives way to them. */
async function restoreBoards(restoring: Restoring): Promise<void> {
  const names = getNames(restoring);
  await removeFirstBoard(restoring);
  await reserveIds(restoring, BOARDS, 'boards');
  await insertBoards(restoring, names);
  await createMissingLabels(restoring, boardLabels(restoring));
  await restoreLists(restoring, names);
  await restoreLabels(restoring, names);
  await recordMissing(restoring, names);
}

export const boardRestorer: Restorer = { relation: BOARDS, restore: restoreBoards };
