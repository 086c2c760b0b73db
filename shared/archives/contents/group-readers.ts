import { sql } from 'kysely';
import type { Expression } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { visibleEpics } from '../../planning/epics/visible-epics.js';
import { groupRelations } from '../format/group-relations.js';
import { containerReaders, readerOf } from './container-readers.js';
import { dayJson, db, rowValues } from './json-values.js';
import type { AttributeValues } from './json-values.js';
import { withReaders } from './read-relation.js';
import type { RelationReader } from './read-relation.js';
import {
  authorOf,
  awardsJson,
  eventsJson,
  labelEventsOf,
  labelLinksOf,
  memberValues,
  notesJson,
  stateEventsOf,
} from './shared-values.js';

/** The epic above, as far as the exporter may read it. */
const parentOf = (ctx: Context, value: Expression<unknown>) =>
  db
    .selectFrom('epics as i')
    .innerJoin('namespaces as n', 'n.id', 'i.namespace_id')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .select(sql`${value}`.as('value'))
    .where('i.id', '=', sql.ref<number>('x.parent_id'))
    .where(visibleEpics(ctx))
    .$asScalar();

const parent = rowValues<'epics'>('i');

const PARENT = jsonBuildObject({
  id: parent.ref('id'),
  iid: parent.ref('iid'),
  title: parent.ref('title'),
  state: parent.ref('state'),
  group_id: parent.ref('namespace_id'),
  confidential: parent.ref('confidential'),
});

const epic = rowValues<'epics'>('x');

/** A day, where it is fixed: others come from issues, which are not here. */
const fixedDay = (name: 'start_date' | 'due_date') =>
  dayJson(
    db
      .case()
      .when(epic.ref(`${name}_is_fixed`), '=', constant(true))
      .then(epic.ref(`${name}_fixed`))
      .end(),
  );

const epicValues = (ctx: Context): AttributeValues => ({
  ...epic.columns('id', 'iid', 'title', 'description', 'state', 'author_id'),
  group_id: epic.ref('namespace_id'),
  parent_id: parentOf(ctx, parent.ref('id')),
  start_date: fixedDay('start_date'),
  end_date: fixedDay('due_date'),
  start_date_fixed: epic.day('start_date_fixed'),
  due_date_fixed: epic.day('due_date_fixed'),
  ...epic.columns('start_date_is_fixed', 'due_date_is_fixed', 'confidential', 'color', 'relative_position'),
  closed_at: epic.instant('closed_at'),
  closed_by_id: epic.ref('closed_by_id'),
  last_edited_at: epic.instant('last_edited_at'),
  ...epic.times(),
  author: authorOf(epic.ref('author_id')),
  parent: parentOf(ctx, PARENT),
  award_emoji: awardsJson('epic'),
  label_links: labelLinksOf('epic'),
  notes: notesJson(ctx, 'Epic', 'epic_id'),
  events: eventsJson(null),
  resource_state_events: stateEventsOf('epic'),
  resource_label_events: labelEventsOf('epic'),
});

/** Those whom boards show: where the plan has no epics, an archive names nobody who wrote some. */
const IS_ON_BOARDS = db.exists(
  db
    .selectFrom('boards as b')
    .leftJoin('board_lists as bl', 'bl.board_id', 'b.id')
    .select('b.id')
    .where('b.namespace_id', '=', sql.ref<number>('x.namespace_id'))
    .where((eb) =>
      eb.or([
        eb('b.assignee_id', '=', sql.ref<number>('x.user_id')),
        eb('bl.assignee_id', '=', sql.ref<number>('x.user_id')),
      ]),
    ),
);

const shared = containerReaders('group');

const readers: Readonly<Record<string, RelationReader>> = {
  ...shared,
  members: readerOf(
    'group',
    db
      .selectFrom('group_members as x')
      .innerJoin('users as u', 'u.id', 'x.user_id')
      .leftJoin('group_notification_settings as ns', (join) =>
        join.onRef('ns.namespace_id', '=', 'x.namespace_id').onRef('ns.user_id', '=', 'x.user_id'),
      )
      // A bot is what a token of the group acts as.
      .where('u.bot', '=', constant(false)),
    'user_id',
    () =>
      memberValues(
        'Namespace',
        sql.ref<number>('x.namespace_id'),
        db.fn.coalesce(sql.ref<number | null>('ns.level'), constant(3)),
      ),
  ),
  namespace_settings: readerOf('group', db.selectFrom('group_settings as x'), 'id', () =>
    rowValues<'group_settings'>('x').columns('prevent_sharing_groups_outside_hierarchy'),
  ),
  user_contributions: {
    ...shared.user_contributions,
    where: (ctx) => (ctx.hasPlan('premium') ? constant(true) : IS_ON_BOARDS),
  },
  epics: readerOf(
    'group',
    db
      .selectFrom('epics as x')
      .innerJoin('namespaces as n', 'n.id', 'x.namespace_id')
      .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id'),
    'iid',
    epicValues,
    { where: (ctx) => visibleEpics(ctx, 'x') },
  ),
};

/** The relations of a group that are read, in the order of the format. */
export const readGroupRelations = withReaders(groupRelations, readers);
