import { raw, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import type { IssuableType, LabelledType } from './issuable-type.js';

/*
 * Conditions on records of an issuable type under the alias `i`, for lists and statistics.
 */

/** That it has one of some labels. */
export const hasLabel = ({ labels, column }: LabelledType, ids: readonly number[]): Sql => sql`exists (
  select 1 from ${labels} x where x.${column} = i.id and x.label_id = any(${ids}::bigint[]))`;

/** That it has any label. */
export const hasLabels = ({ labels, column }: LabelledType): Sql =>
  sql`exists (select 1 from ${labels} x where x.${column} = i.id)`;

/** That a user is to work on it. */
export const hasAssignee = ({ assignees, column }: IssuableType, userId: number | Sql): Sql =>
  sql`exists (select 1 from ${assignees} x where x.${column} = i.id and x.user_id = ${userId})`;

/** That anybody is to work on it. */
export const hasAssignees = ({ assignees, column }: IssuableType): Sql =>
  sql`exists (select 1 from ${assignees} x where x.${column} = i.id)`;

/** The id of the user of that name, as SQL: null for none. */
export const userIdOfName = (username: string): Sql =>
  sql`(select u.id from users u where lower(u.username) = lower(${username}))`;

/** That it is planned for a milestone of that title. */
export const hasMilestone = (title: string): Sql =>
  sql`i.milestone_id = any(array(select m.id from milestones m where m.title = ${title}))`;

const ofSameContainer = sql`e.project_id is not distinct from m.project_id
  and e.namespace_id is not distinct from m.namespace_id`;

const planned = {
  /** The next one of each project and group that is due after today. */
  upcoming: (today: string): Sql => sql`m.state = 'active' and m.due_date > ${today}::date and not exists (
    select 1 from milestones e where ${ofSameContainer} and e.state = 'active'
       and e.due_date > ${today}::date and e.due_date < m.due_date)`,
  /** Begun, and not over. */
  started: (today: string): Sql => sql`m.state = 'active' and m.start_date <= ${today}::date
    and (m.due_date is null or m.due_date >= ${today}::date)`,
};

/** What `milestone` and `milestone_id` may say instead of a milestone, in lower case. */
export const MILESTONE_WORDS = ['none', 'any', 'upcoming', 'started'] as const;
export type MilestoneWord = (typeof MILESTONE_WORDS)[number];

/** That it is planned for none, for any, or for one that is about to begin or has begun. */
export function isPlanned(word: MilestoneWord, today: string): Sql {
  if (word === 'none') return sql`i.milestone_id is null`;
  if (word === 'any') return sql`i.milestone_id is not null`;
  return sql`i.milestone_id in (select m.id from milestones m where ${planned[word](today)})`;
}

/** What `due_date` of lists may say. */
export const DUE_WORDS = [
  '0',
  'none',
  'any',
  'today',
  'tomorrow',
  'overdue',
  'week',
  'month',
  'next_month_and_previous_two_weeks',
] as const;
export type DueWord = (typeof DUE_WORDS)[number];

/** That it is due then, by the days of now, UTC; a week begins on Monday. */
export function isDue(word: DueWord, today: string): Sql {
  const day = sql`${today}::date`;
  const within = (unit: 'week' | 'month') => {
    const first = sql`date_trunc(${raw(`'${unit}'`)}, ${day}::timestamp)`;
    return sql`i.due_date >= ${first} and i.due_date < ${first} + ${raw(`interval '1 ${unit}'`)}`;
  };
  switch (word) {
    case '0':
    case 'none':
      return sql`i.due_date is null`;
    case 'any':
      return sql`i.due_date is not null`;
    case 'today':
      return sql`i.due_date = ${day}`;
    case 'tomorrow':
      return sql`i.due_date = ${day} + 1`;
    case 'overdue':
      return sql`i.due_date < ${day}`;
    case 'week':
    case 'month':
      return within(word);
    case 'next_month_and_previous_two_weeks':
      return sql`i.due_date >= ${day} - 14
        and i.due_date < date_trunc('month', ${day}::timestamp) + interval '2 months'`;
  }
}
