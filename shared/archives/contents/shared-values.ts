import type { Context } from '../../core/context.js';
import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { seesReferenced } from '../../notes/notes/note.finder.js';
import { textColorSql } from '../../planning/labels/label-colors.js';
import type { ArchiveAttribute, ArchiveAttributes } from '../format/attributes.js';
import { sharedAttributes } from '../format/shared-attributes.js';
import { columnsOf, dayJson, instantJson, jsonFirst, jsonList, jsonObject, timesOf } from './json-sql.js';
import type { AttributeValues } from './json-sql.js';

/** How what groups and projects have alike is read, each as values of the attributes of the same name. */

const NOTHING = sql`null`;

/** The attributes of the objects that an attribute holds. */
function within(attribute: ArchiveAttribute | undefined): ArchiveAttributes {
  if (attribute?.is !== 'one' && attribute?.is !== 'many') throw new Error('This attribute holds no objects.');
  return attribute.of;
}

/** `group_id` and `project_id` of a row. */
const placeValues = (alias: string): AttributeValues => ({
  group_id: raw(`${alias}.namespace_id`),
  project_id: raw(`${alias}.project_id`),
});

const labelType = (alias: string): Fragment =>
  sql`case when ${raw(alias)}.project_id is null then 'GroupLabel' else 'ProjectLabel' end`;

/** @param priorities what `priorities` is: those of one project, or none */
export const labelValues = (priorities: Fragment): AttributeValues => ({
  ...columnsOf('x', 'id', 'title', 'color', 'description'),
  template: sql`false`,
  archived: raw('x.archived'),
  ...placeValues('x'),
  type: labelType('x'),
  ...timesOf('x'),
  priorities,
  textColor: textColorSql(raw('x.color')),
});

const labelOfValues: AttributeValues = {
  ...columnsOf('la', 'title', 'color', 'description'),
  type: labelType('la'),
  group_id: raw('la.namespace_id'),
};

const labelOf = (id: Fragment): Fragment =>
  jsonFirst(sharedAttributes.labelOf, labelOfValues, sql`from labels la where la.id = ${id}`);

/** Labels that a table joins to its records, by title. */
export const labelLinksOf = (table: string, column: string): Fragment =>
  jsonList(
    within(sharedAttributes.labelLinks),
    { label: jsonObject(sharedAttributes.labelOf, labelOfValues), ...timesOf('la') },
    sql`from ${raw(table)} ll join labels la on la.id = ll.label_id
      where ll.${raw(column)} = x.id order by la.title, la.id`,
  );

export const milestoneValues: AttributeValues = {
  ...columnsOf('x', 'id', 'iid', 'title', 'description', 'state'),
  start_date: dayJson(raw('x.start_date')),
  due_date: dayJson(raw('x.due_date')),
  ...timesOf('x'),
  ...placeValues('x'),
};

export const milestoneOf = (id: Fragment): Fragment =>
  jsonFirst(
    within(sharedAttributes.milestoneOf),
    { ...columnsOf('mi', 'iid', 'title'), ...placeValues('mi') },
    sql`from milestones mi where mi.id = ${id}`,
  );

export const badgeValues: AttributeValues = {
  ...columnsOf('x', 'id', 'name', 'link_url', 'image_url'),
  ...placeValues('x'),
  type: sql`case when x.project_id is null then 'GroupBadge' else 'ProjectBadge' end`,
  ...timesOf('x'),
};

const assigneeOf = (id: Fragment): Fragment => sql`(select row_to_json(o) from (
  select us.id as "id", us.public_email as "public_email", us.username as "username"
    from users us where us.id = ${id}) o)`;

const listsOfBoard: Fragment = jsonList(
  within(sharedAttributes.board.lists),
  {
    ...columnsOf('bl', 'id', 'board_id', 'label_id', 'list_type', 'position'),
    ...timesOf('bl'),
    max_issue_count: sql`0`,
    max_issue_weight: sql`0`,
    label: labelOf(raw('bl.label_id')),
    board: sql`(select row_to_json(o) from (
      select x.id as "id", x.name as "name", x.namespace_id as "group_id", x.project_id as "project_id") o)`,
    milestone: milestoneOf(raw('bl.milestone_id')),
    user_id: raw('bl.assignee_id'),
    assignee: assigneeOf(raw('bl.assignee_id')),
  },
  sql`from board_lists bl where bl.board_id = x.id order by bl.position, bl.id`,
);

export const boardValues: AttributeValues = {
  ...columnsOf('x', 'id', 'name'),
  ...placeValues('x'),
  ...columnsOf('x', 'milestone_id', 'weight'),
  ...timesOf('x'),
  ...columnsOf('x', 'hide_backlog_list', 'hide_closed_list'),
  labels: jsonList(
    within(sharedAttributes.board.labels),
    labelOfValues,
    sql`from board_labels ll join labels la on la.id = ll.label_id where ll.board_id = x.id order by la.title, la.id`,
  ),
  lists: listsOfBoard,
  board_assignee: sql`case when x.assignee_id is not null then json_build_object(
    'assignee_id', x.assignee_id, 'assignee', ${assigneeOf(raw('x.assignee_id'))}) end`,
  milestone: milestoneOf(raw('x.milestone_id')),
};

/** @param source `Namespace` or `Project`, whose id `sourceId` is; `settings` holds the notification levels there */
export const memberValues = (
  source: 'Namespace' | 'Project',
  sourceId: Fragment,
  level: Fragment,
): AttributeValues => ({
  ...columnsOf('x', 'id', 'access_level'),
  source_id: sourceId,
  source_type: sql`${raw(`'${source}'`)}`,
  user_id: raw('x.user_id'),
  notification_level: level,
  created_at: instantJson(raw('x.created_at')),
  updated_at: instantJson(raw('x.created_at')),
  created_by_id: raw('x.created_by_id'),
  invite_email: NOTHING,
  invite_token: NOTHING,
  invite_accepted_at: NOTHING,
  requested_at: NOTHING,
  expires_at: dayJson(raw('x.expires_on')),
  user: sql`(select row_to_json(o) from (
    select us.id as "id", us.public_email as "public_email", us.username as "username"
      from users us where us.id = x.user_id) o)`,
});

/** `author` by the id of a user. */
export const authorOf = (id: Fragment): Fragment =>
  jsonFirst(within(sharedAttributes.author), columnsOf('us', 'name'), sql`from users us where us.id = ${id}`);

/** Emoji of a table, of the records whose id `owner` is. */
export const awardsJson = (table: string, column: string, owner: Fragment): Fragment =>
  jsonList(
    within(sharedAttributes.awardEmoji),
    { ...columnsOf('aw', 'name', 'user_id'), ...timesOf('aw') },
    sql`from ${raw(table)} aw where aw.${raw(column)} = ${owner} order by aw.id`,
  );

const eventsFrom = (kind: string, table: string, column: string) =>
  sql`from ${raw(`${table}_${kind}_events`)} ev where ev.${raw(column)} = x.id order by ev.id`;

const whoAndWhen: AttributeValues = { user_id: raw('ev.user_id'), created_at: instantJson(raw('ev.created_at')) };

/** Events of a record's own tables, such as `issue_state_events`. */
export const stateEventsOf = (table: string, column: string): Fragment =>
  jsonList(
    within(sharedAttributes.resourceStateEvents),
    { ...whoAndWhen, state: raw('ev.state') },
    eventsFrom('state', table, column),
  );

export const labelEventsOf = (table: string, column: string): Fragment =>
  jsonList(
    within(sharedAttributes.resourceLabelEvents),
    { ...whoAndWhen, action: raw('ev.action'), label: labelOf(raw('ev.label_id')) },
    eventsFrom('label', table, column),
  );

export const milestoneEventsOf = (table: string, column: string): Fragment =>
  jsonList(
    within(sharedAttributes.resourceMilestoneEvents),
    { ...whoAndWhen, action: raw('ev.action'), state: raw('ev.state'), milestone: milestoneOf(raw('ev.milestone_id')) },
    eventsFrom('milestone', table, column),
  );

/** What happened to a record, of the events that people see: by the column that names it; none without one. */
export const eventsJson = (column: string | null): Fragment =>
  column === null
    ? sql`'[]'::json`
    : jsonList(
        within(sharedAttributes.events),
        { action: raw('ev.action'), author_id: raw('ev.author_id'), created_at: instantJson(raw('ev.created_at')) },
        sql`from events ev where ev.${raw(column)} = x.id
          and ev.action in ('created', 'closed', 'reopened', 'merged') order by ev.id`,
      );

/**
 * The notes of a record that the exporter sees, the first one first. Whoever may export sees internal ones.
 * @param type what they are about, as `noteable_type` names it
 * @param column by which they name it
 */
export const notesJson = (ctx: Context, type: string, column: string): Fragment =>
  notesList(ctx, { type, column, attributes: sharedAttributes.note, more: {} });

interface NotesAsked {
  readonly type: string;
  readonly column: string;
  readonly attributes: ArchiveAttributes;
  /** What notes of this kind have besides. */
  readonly more: AttributeValues;
}

/** The same of notes that have more attributes, in the order of `attributes`. */
export const notesList = (ctx: Context, { type, column, attributes, more }: NotesAsked): Fragment =>
  jsonList(
    attributes,
    {
      ...columnsOf('n', 'id', 'note'),
      noteable_type: sql`${raw(`'${type}'`)}`,
      author_id: raw('n.author_id'),
      author: authorOf(raw('n.author_id')),
      ...timesOf('n'),
      ...columnsOf('n', 'system', 'type', 'discussion_id', 'internal'),
      commit_id: sql`coalesce(n.commit_sha, n.diff_commit_sha)`,
      resolved_at: instantJson(raw('n.resolved_at')),
      resolved_by_id: raw('n.resolved_by_id'),
      last_edited_at: instantJson(raw('n.last_edited_at')),
      system_note_metadata: sql`case when n.system then json_build_object('action', n.action) end`,
      award_emoji: awardsJson('note_award_emojis', 'note_id', raw('n.id')),
      ...more,
    },
    sql`from notes n where n.${raw(column)} = x.id and ${seesReferenced(ctx)} order by n.id`,
  );
