import type { Context } from '../../core/context.js';
import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { visibleEpics } from '../../planning/epics/visible-epics.js';
import { groupRelations } from '../format/group-relations.js';
import { containerReaders, readerOf } from './container-readers.js';
import { columnsOf, dayJson, instantJson, timesOf } from './json-sql.js';
import type { AttributeValues } from './json-sql.js';
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
const parentOf = (ctx: Context, value: Fragment): Fragment => sql`(select ${value} from epics i
  join namespaces n on n.id = i.namespace_id join group_settings gs on gs.namespace_id = n.id
 where i.id = x.parent_id and ${visibleEpics(ctx)})`;

const PARENT = sql`json_build_object('id', i.id, 'iid', i.iid, 'title', i.title, 'state', i.state,
  'group_id', i.namespace_id, 'confidential', i.confidential)`;

const epicValues = (ctx: Context): AttributeValues => ({
  ...columnsOf('x', 'id', 'iid', 'title', 'description', 'state', 'author_id'),
  group_id: raw('x.namespace_id'),
  parent_id: parentOf(ctx, raw('i.id')),
  // Dates that are not fixed come from issues, which are not here.
  start_date: dayJson(sql`case when x.start_date_is_fixed then x.start_date_fixed end`),
  end_date: dayJson(sql`case when x.due_date_is_fixed then x.due_date_fixed end`),
  start_date_fixed: dayJson(raw('x.start_date_fixed')),
  due_date_fixed: dayJson(raw('x.due_date_fixed')),
  ...columnsOf('x', 'start_date_is_fixed', 'due_date_is_fixed', 'confidential', 'color', 'relative_position'),
  closed_at: instantJson(raw('x.closed_at')),
  closed_by_id: raw('x.closed_by_id'),
  last_edited_at: instantJson(raw('x.last_edited_at')),
  ...timesOf('x'),
  author: authorOf(raw('x.author_id')),
  parent: parentOf(ctx, PARENT),
  award_emoji: awardsJson('epic_award_emojis', 'epic_id', raw('x.id')),
  label_links: labelLinksOf('epic_labels', 'epic_id'),
  notes: notesJson(ctx, 'Epic', 'epic_id'),
  events: eventsJson(null),
  resource_state_events: stateEventsOf('epic', 'epic_id'),
  resource_label_events: labelEventsOf('epic', 'epic_id'),
});

/** Those whom boards show: where the plan has no epics, an archive tells of nobody who wrote some. */
const SHOWN_BY_BOARDS = sql`exists (
  select 1 from boards b left join board_lists bl on bl.board_id = b.id
   where b.namespace_id = x.namespace_id and x.user_id in (b.assignee_id, bl.assignee_id))`;

const shared = containerReaders('group');

const readers: Readonly<Record<string, RelationReader>> = {
  ...shared,
  members: readerOf(
    'group',
    sql`group_members x join users u on u.id = x.user_id
      left join group_notification_settings ns on ns.namespace_id = x.namespace_id and ns.user_id = x.user_id`,
    'user_id',
    () => memberValues('Namespace', raw('x.namespace_id'), sql`coalesce(ns.level, 3)`),
    // A bot is what a token of the group acts as.
    { where: () => sql`not u.bot` },
  ),
  namespace_settings: readerOf('group', sql`group_settings x`, 'id', () =>
    columnsOf('x', 'prevent_sharing_groups_outside_hierarchy'),
  ),
  user_contributions: {
    ...shared.user_contributions,
    where: (ctx) => (ctx.hasPlan('premium') ? sql`true` : SHOWN_BY_BOARDS),
  },
  epics: readerOf(
    'group',
    sql`epics x join namespaces n on n.id = x.namespace_id join group_settings gs on gs.namespace_id = n.id`,
    'iid',
    epicValues,
    { where: (ctx) => visibleEpics(ctx, 'x') },
  ),
};

/** The relations of a group that are read, in the order of the format. */
export const readGroupRelations = withReaders(groupRelations, readers);
