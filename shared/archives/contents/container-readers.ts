import { sql } from 'kysely';
import type { Expression } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { containerColumn } from '../../core/operations/container.js';
import type { ByContainer, ContainerKind } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { MatchingQuery } from '../../core/database/list.js';
import { textColorSql } from '../../planning/labels/label-colors.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { db, jsonList, NO_ELEMENTS, plainObject, rowValues } from './json-values.js';
import type { AttributeValues } from './json-values.js';
import type { RelationReader } from './read-relation.js';
import { sharedAttributes } from '../format/attributes.js';
import {
  containerValues,
  ID,
  serializeLabel,
  labelOfValues,
  labelType,
  serializeMilestone,
  serializePerson,
  typeByContainer,
  within,
} from './record-values.js';

/** A reader of rows `x` of groups or projects; all rows, unless `where` limits them. */
export const getRelationReader = (
  kind: ContainerKind,
  from: MatchingQuery,
  key: string,
  values: (ctx: Context) => AttributeValues,
  { keyType = 'bigint', where }: Partial<Pick<RelationReader, 'keyType' | 'where'>> = {},
): RelationReader => ({
  from,
  container: sql.ref(`x.${containerColumn(kind)}`),
  key: sql.ref(`x.${key}`),
  keyType,
  ...(where && { where }),
  values,
});

type UserColumns = {
  [Table in keyof ArchivesDatabase]: readonly [Table, ...(keyof ArchivesDatabase[Table] & string)[]];
}[keyof ArchivesDatabase];

/** The columns by which the tables of a group or project name users. */
const USER_COLUMNS: ByContainer<readonly UserColumns[]> = {
  group: [
    ['epics', 'author_id', 'closed_by_id'],
    ['epic_award_emojis', 'user_id'],
    ['epic_state_events', 'user_id'],
    ['epic_label_events', 'user_id'],
    ['notes', 'author_id'],
    ['note_award_emojis', 'user_id'],
    ['boards', 'assignee_id'],
  ],
  project: [
    ['issues', 'author_id', 'updated_by_id', 'closed_by_id'],
    ['merge_requests', 'author_id', 'updated_by_id', 'closed_by_id', 'merge_user_id'],
    ['issue_assignees', 'user_id'],
    ['issue_award_emojis', 'user_id'],
    ['issue_timelogs', 'user_id'],
    ['issue_state_events', 'user_id'],
    ['issue_label_events', 'user_id'],
    ['issue_milestone_events', 'user_id'],
    ['merge_request_assignees', 'user_id'],
    ['merge_request_award_emojis', 'user_id'],
    ['merge_request_timelogs', 'user_id'],
    ['merge_request_state_events', 'user_id'],
    ['merge_request_label_events', 'user_id'],
    ['merge_request_milestone_events', 'user_id'],
    ['issue_weight_events', 'user_id'],
    ['merge_request_reviewers', 'user_id'],
    ['merge_request_approvals', 'user_id'],
    ['note_award_emojis', 'user_id'],
    ['boards', 'assignee_id'],
    ['notes', 'author_id', 'resolved_by_id'],
  ],
};

/** Users referenced by a column of a table, each with the group or project; typed like the assignees of boards. */
function usersIn(kind: ContainerKind, table: string, column: string) {
  const container = containerColumn(kind);
  const users = db
    .selectFrom(`${table} as t` as 'boards as t')
    .select([`t.${container}`, `t.${column} as user_id` as 't.assignee_id as user_id'])
    .where(`t.${container}`, 'is not', null)
    .where(`t.${column}` as 't.assignee_id', 'is not', null);
  // Notes of groups may be about other things, which archives do not have.
  return kind === 'group' && table === 'notes' ? users.where(sql.ref('t.epic_id'), 'is not', null) : users;
}

/** Authors, actors and users shown on boards, as rows `x` joined to users `u`: each id once per group or project. */
function getContributors(kind: ContainerKind): MatchingQuery {
  const container = containerColumn(kind);
  const ofLists: MatchingQuery = db
    .selectFrom('board_lists as bl')
    .innerJoin('boards as b', 'b.id', 'bl.board_id')
    .select([`b.${container}`, 'bl.assignee_id as user_id'])
    .where(`b.${container}`, 'is not', null)
    .where('bl.assignee_id', 'is not', null);
  const columnQueries = USER_COLUMNS[kind].flatMap(([table, ...columns]) =>
    columns.map((column) => usersIn(kind, table, column)),
  );
  const all = columnQueries.reduce<MatchingQuery>((query, one) => query.union(one), ofLists);
  return db.selectFrom(all.$castTo<{ user_id: number }>().as('x')).innerJoin('users as u', 'u.id', 'x.user_id');
}

/** Priorities are of projects. */
const PRIORITIES: ByContainer<Expression<unknown>> = {
  group: NO_ELEMENTS,
  project: db
    .selectFrom('label_priorities as lp')
    .select(({ fn, ref }) =>
      fn.coalesce(fn.agg('json_agg', [jsonBuildObject({ priority: ref('lp.priority') })]), NO_ELEMENTS).as('list'),
    )
    .where('lp.label_id', '=', sql.ref<number>('x.id'))
    .where('lp.project_id', '=', sql.ref<number>('x.project_id'))
    .$asScalar(),
};

const label = rowValues<'labels'>('x');

/** @param priorities the value of `priorities`: those of one project, or none */
const labelValues = (priorities: Expression<unknown>): AttributeValues => ({
  ...label.columns('id', 'title', 'color', 'description'),
  template: constant(false),
  archived: label.ref('archived'),
  ...containerValues('x'),
  type: labelType('x'),
  ...label.times(),
  priorities,
  textColor: textColorSql(label.ref('color')),
});

const milestone = rowValues<'milestones'>('x');

const milestoneValues: AttributeValues = {
  ...milestone.columns('id', 'iid', 'title', 'description', 'state'),
  start_date: milestone.day('start_date'),
  due_date: milestone.day('due_date'),
  ...milestone.times(),
  ...containerValues('x'),
};

const badge = rowValues<'badges'>('x');

const badgeValues: AttributeValues = {
  ...badge.columns('id', 'name', 'link_url', 'image_url'),
  ...containerValues('x'),
  type: typeByContainer('x', 'GroupBadge', 'ProjectBadge'),
  ...badge.times(),
};

const list = rowValues<'board_lists'>('bl');
const board = rowValues<'boards'>('x');

const listsOfBoard = jsonList(
  within(sharedAttributes.board.lists),
  {
    ...list.columns('id', 'board_id', 'label_id', 'list_type', 'position'),
    ...list.times(),
    max_issue_count: constant(0),
    max_issue_weight: constant(0),
    label: serializeLabel(list.ref('label_id')),
    board: plainObject({ ...board.columns('id', 'name'), ...containerValues('x') }),
    milestone: serializeMilestone(list.ref('milestone_id')),
    user_id: list.ref('assignee_id'),
    assignee: serializePerson(list.ref('assignee_id')),
  },
  db.selectFrom('board_lists as bl').where('bl.board_id', '=', ID).orderBy('bl.position').orderBy('bl.id'),
);

const boardValues: AttributeValues = {
  ...board.columns('id', 'name'),
  ...containerValues('x'),
  ...board.columns('milestone_id', 'weight'),
  ...board.times(),
  ...board.columns('hide_backlog_list', 'hide_closed_list'),
  labels: jsonList(
    within(sharedAttributes.board.labels),
    labelOfValues,
    db
      .selectFrom('board_labels as ll')
      .innerJoin('labels as la', 'la.id', 'll.label_id')
      .where('ll.board_id', '=', ID)
      .orderBy('la.title')
      .orderBy('la.id'),
  ),
  lists: listsOfBoard,
  board_assignee: db
    .case()
    .when(board.ref('assignee_id'), 'is not', null)
    .then(
      jsonBuildObject({ assignee_id: board.ref('assignee_id'), assignee: serializePerson(board.ref('assignee_id')) }),
    )
    .end(),
  milestone: serializeMilestone(board.ref('milestone_id')),
};

/** Readers of what groups and projects both have. */
export const containerReaders = (kind: ContainerKind) => ({
  milestones: getRelationReader(kind, db.selectFrom('milestones as x'), 'iid', () => milestoneValues),
  badges: getRelationReader(kind, db.selectFrom('badges as x'), 'id', () => badgeValues),
  labels: getRelationReader(kind, db.selectFrom('labels as x'), 'title', () => labelValues(PRIORITIES[kind]), {
    keyType: 'text',
  }),
  boards: getRelationReader(kind, db.selectFrom('boards as x'), 'id', () => boardValues),
  user_contributions: getRelationReader(kind, getContributors(kind), 'user_id', () => ({
    id: sql.ref('x.user_id'),
    ...rowValues<'users'>('u').columns('public_email', 'username', 'name'),
  })),
});
