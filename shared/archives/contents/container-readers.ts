import { containerColumn } from '../../core/container.js';
import type { ByContainer, ContainerKind } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { join, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { AttributeValues } from './json-sql.js';
import type { RelationReader } from './read-relation.js';
import { badgeValues, boardValues, labelValues, milestoneValues } from './shared-values.js';

/** How rows `x` of groups or projects are read; all of them, unless what is added says which. */
export const readerOf = (
  kind: ContainerKind,
  from: Fragment,
  key: string,
  values: (ctx: Context) => AttributeValues,
  { keyType = 'bigint', where }: Partial<Pick<RelationReader, 'keyType' | 'where'>> = {},
): RelationReader => ({
  from,
  container: sql`x.${containerColumn(kind)}`,
  key: raw(`x.${key}`),
  keyType,
  ...(where && { where }),
  values,
});

/** What `notes` of groups are about; they may be about other things that archives do not have. */
const NOTES_OF_EPICS = '(select * from notes where epic_id is not null) n';

/** Where a group or project names users: its tables, each with the columns. */
const PLACES: ByContainer<readonly (readonly [table: string, ...columns: string[]])[]> = {
  group: [
    ['epics', 'author_id', 'closed_by_id'],
    ['epic_award_emojis', 'user_id'],
    ['epic_state_events', 'user_id'],
    ['epic_label_events', 'user_id'],
    [NOTES_OF_EPICS, 'author_id'],
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

/** Who wrote or did something, and whom boards show, as rows `x` joined to users `u`: each id once a group or project. */
function contributorsOf(kind: ContainerKind): Fragment {
  const container = containerColumn(kind);
  const named = PLACES[kind].flatMap(([table, ...columns]) =>
    columns.map(
      (column) => sql`
        select ${container}, ${raw(column)} as user_id from ${raw(table)}
         where ${container} is not null and ${raw(column)} is not null`,
    ),
  );
  const ofLists = sql`
    select b.${container}, bl.assignee_id from board_lists bl join boards b on b.id = bl.board_id
     where b.${container} is not null and bl.assignee_id is not null`;
  return sql`(${join([...named, ofLists], ' union ')}) x join users u on u.id = x.user_id`;
}

/** Priorities are of projects. */
const PRIORITIES: ByContainer<Fragment> = {
  group: sql`'[]'::json`,
  project: sql`(select coalesce(json_agg(json_build_object('priority', lp.priority)), '[]'::json)
    from label_priorities lp where lp.label_id = x.id and lp.project_id = x.project_id)`,
};

/** Readers of what groups and projects both have. */
export const containerReaders = (kind: ContainerKind) => ({
  milestones: readerOf(kind, sql`milestones x`, 'iid', () => milestoneValues),
  badges: readerOf(kind, sql`badges x`, 'id', () => badgeValues),
  labels: readerOf(kind, sql`labels x`, 'title', () => labelValues(PRIORITIES[kind]), { keyType: 'text' }),
  boards: readerOf(kind, sql`boards x`, 'id', () => boardValues),
  user_contributions: readerOf(kind, contributorsOf(kind), 'user_id', () => ({
    id: raw('x.user_id'),
    public_email: raw('u.public_email'),
    username: raw('u.username'),
    name: raw('u.name'),
  })),
});
