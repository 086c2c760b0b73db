import { join, raw, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';

/** Where a project names users: tables that have its id, each with the columns. */
const PLACES: readonly (readonly [table: string, ...columns: string[]])[] = [
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
];

const named = (table: string, column: string): Sql => sql`
  select ${raw(`project_id, ${column} as user_id`)} from ${raw(table)}
   where ${raw(`project_id is not null and ${column} is not null`)}`;

const ofLists = sql`
  select b.project_id, bl.assignee_id from board_lists bl join boards b on b.id = bl.board_id
   where b.project_id is not null and bl.assignee_id is not null`;

/** Who wrote or did something in a project, and whom boards show, as rows `x` joined to users `u`: each id once a project. */
export const contributorsOfProjects = (): Sql => sql`
  (${join([...PLACES.flatMap(([table, ...all]) => all.map((column) => named(table, column))), ofLists], ' union ')}) x
  join users u on u.id = x.user_id`;
