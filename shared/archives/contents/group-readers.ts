import type { Context } from '../../core/context.js';
import { raw, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { visibleEpics } from '../../planning/epics/visible-epics.js';
import { groupRelations } from '../format/group-relations.js';
import { columnsOf, dayJson, instantJson, timesOf } from './json-sql.js';
import type { AttributeValues } from './json-sql.js';
import { withReaders } from './read-relation.js';
import type { RelationReader } from './read-relation.js';
import {
  authorOf,
  awardsJson,
  badgeValues,
  boardValues,
  eventsJson,
  labelEventsOf,
  labelLinksOf,
  labelValues,
  memberValues,
  milestoneValues,
  notesJson,
  stateEventsOf,
} from './shared-values.js';

const ofGroup = { container: raw('x.namespace_id') } as const;

/** The epic above, as far as the exporter may read it. */
const parentOf = (ctx: Context, value: Sql): Sql => sql`(select ${value} from epics i
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

/** Who wrote or did something in epics, and whom boards show: each id once a group. */
const contributors = (): Sql => sql`
  (select namespace_id, author_id as user_id from epics where author_id is not null
   union select namespace_id, closed_by_id from epics where closed_by_id is not null
   union select namespace_id, user_id from epic_award_emojis
   union select namespace_id, user_id from epic_state_events where user_id is not null
   union select namespace_id, user_id from epic_label_events where user_id is not null
   union select namespace_id, author_id from notes where epic_id is not null and author_id is not null
   union select namespace_id, user_id from note_award_emojis where namespace_id is not null
   union select namespace_id, assignee_id from boards where namespace_id is not null and assignee_id is not null
   union select b.namespace_id, bl.assignee_id from board_lists bl join boards b on b.id = bl.board_id
          where b.namespace_id is not null and bl.assignee_id is not null) x
  join users u on u.id = x.user_id`;

/** Those whom boards show: where the plan has no epics, an archive tells of nobody who wrote some. */
const SHOWN_BY_BOARDS = sql`exists (
  select 1 from boards b left join board_lists bl on bl.board_id = b.id
   where b.namespace_id = x.namespace_id and x.user_id in (b.assignee_id, bl.assignee_id))`;

const readers: Readonly<Record<string, RelationReader>> = {
  milestones: {
    ...ofGroup,
    from: sql`milestones x`,
    key: raw('x.iid'),
    keyType: 'bigint',
    values: () => milestoneValues,
  },
  badges: { ...ofGroup, from: sql`badges x`, key: raw('x.id'), keyType: 'bigint', values: () => badgeValues },
  labels: {
    ...ofGroup,
    from: sql`labels x`,
    key: raw('x.title'),
    keyType: 'text',
    // Priorities are of projects.
    values: () => labelValues(sql`'[]'::json`),
  },
  boards: { ...ofGroup, from: sql`boards x`, key: raw('x.id'), keyType: 'bigint', values: () => boardValues },
  members: {
    ...ofGroup,
    from: sql`group_members x join users u on u.id = x.user_id
      left join group_notification_settings ns on ns.namespace_id = x.namespace_id and ns.user_id = x.user_id`,
    key: raw('x.user_id'),
    keyType: 'bigint',
    // A bot is what a token of the group acts as.
    where: () => sql`not u.bot`,
    values: () => memberValues('Namespace', raw('x.namespace_id'), sql`coalesce(ns.level, 3)`),
  },
  namespace_settings: {
    ...ofGroup,
    from: sql`group_settings x`,
    key: raw('x.id'),
    keyType: 'bigint',
    values: () => columnsOf('x', 'prevent_sharing_groups_outside_hierarchy'),
  },
  user_contributions: {
    ...ofGroup,
    from: contributors(),
    key: raw('x.user_id'),
    keyType: 'bigint',
    where: (ctx) => (ctx.hasPlan('premium') ? sql`true` : SHOWN_BY_BOARDS),
    values: () => ({
      id: raw('x.user_id'),
      public_email: raw('u.public_email'),
      username: raw('u.username'),
      name: raw('u.name'),
    }),
  },
  epics: {
    ...ofGroup,
    from: sql`epics x join namespaces n on n.id = x.namespace_id join group_settings gs on gs.namespace_id = n.id`,
    key: raw('x.iid'),
    keyType: 'bigint',
    where: (ctx) => visibleEpics(ctx, 'x'),
    values: epicValues,
  },
};

/** The relations of a group that are read, in the order of the format. */
export const readGroupRelations = withReaders(groupRelations, readers);
