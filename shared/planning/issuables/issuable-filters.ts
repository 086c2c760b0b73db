import { expressionBuilder, sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import { anyIn, anyOf, arrayFrom, constant, scalar } from '../../core/database/expressions.js';
import { prepareExpression } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import type { PlanningDatabase } from '../planning.entities.js';
import type { IssuableType, LabelledType } from './issuable-type.js';

/*
 * Conditions on records of an issuable type under the alias `i`, for lists and statistics.
 */

/** Issues `i`, used as the type for records of any issuable type. */
type OfIssuables = Aliased<PlanningDatabase, { i: 'issues' }>;

/** Builds conditions on records `i` of any issuable type. */
export const onIssuables = expressionBuilder<OfIssuables, 'i'>();
const one = onIssuables.lit(1).as('one');

/** Rows `x` of the labels of record `i`. */
const getLabels = ({ tables }: LabelledType) =>
  onIssuables.selectFrom(`${tables.labels} as x`).select(one).whereRef(`x.${tables.record_id}`, '=', 'i.id');

/** Assignee rows `x` of record `i`. */
const getAssignees = ({ tables }: IssuableType) =>
  onIssuables.selectFrom(`${tables.assignees} as x`).select(one).whereRef(`x.${tables.record_id}`, '=', 'i.id');

interface OfLabels {
  readonly ids: readonly number[];
}

const labelConditions = new Map<LabelledType, (values: OfLabels) => Expression<SqlBool>>();

/** That it has one of some labels: built once for each type, as lists are mostly narrowed by labels. */
export function hasLabel(type: LabelledType, ids: readonly number[]): Expression<SqlBool> {
  let condition = labelConditions.get(type);
  if (!condition) {
    condition = prepareExpression<OfLabels, SqlBool>((values) =>
      onIssuables.exists(getLabels(type).where('x.label_id', '=', anyOf(values.ids, 'bigint'))),
    );
    labelConditions.set(type, condition);
  }
  return condition({ ids });
}

/** That it has any label. */
export const hasLabels = (type: LabelledType): Expression<SqlBool> => onIssuables.exists(getLabels(type));

/** That a user is to work on it. */
export const hasAssignee = (type: IssuableType, userId: number | Expression<number | null>): Expression<SqlBool> =>
  onIssuables.exists(getAssignees(type).where('x.user_id', '=', userId as Expression<number>));

/** Whether the record has any assignee. */
export const hasAssignees = (type: IssuableType): Expression<SqlBool> => onIssuables.exists(getAssignees(type));

/** The id of the user of that name: null for none. */
export const userIdOfName = (username: string): Expression<number> =>
  scalar(
    onIssuables
      .selectFrom('users as u')
      .select('u.id')
      .where((eb) => eb(eb.fn('lower', ['u.username']), '=', eb.fn('lower', [eb.val(username)]))),
  );

/** That it is planned for a milestone of that title. */
export function hasMilestone(title: string): Expression<SqlBool> {
  const ids = onIssuables.selectFrom('milestones as m').select('m.id').where('m.title', '=', title);
  return onIssuables('i.milestone_id', '=', anyIn(arrayFrom(ids)));
}

type OfMilestones = Aliased<PlanningDatabase, { m: 'milestones'; e: 'milestones' }>;
const onMilestones = expressionBuilder<OfMilestones, 'm'>();
const getDay = (day: string) => onMilestones.cast<string>(onMilestones.val(day), 'date');

const planned = {
  /** The next one of each project and group that is due after today. */
  upcoming(today: string): Expression<SqlBool> {
    const earlier = onMilestones
      .selectFrom('milestones as e')
      .select(one)
      .whereRef('e.project_id', 'is not distinct from', 'm.project_id')
      .whereRef('e.namespace_id', 'is not distinct from', 'm.namespace_id')
      .where('e.state', '=', constant('active'))
      .where('e.due_date', '>', getDay(today))
      .whereRef('e.due_date', '<', 'm.due_date');
    return onMilestones.and([
      onMilestones('m.state', '=', constant('active')),
      onMilestones('m.due_date', '>', getDay(today)),
      onMilestones.not(onMilestones.exists(earlier)),
    ]);
  },
  /** Begun, and not over. */
  started: (today: string): Expression<SqlBool> =>
    onMilestones.and([
      onMilestones('m.state', '=', constant('active')),
      onMilestones('m.start_date', '<=', getDay(today)),
      onMilestones.or([onMilestones('m.due_date', 'is', null), onMilestones('m.due_date', '>=', getDay(today))]),
    ]),
};

/** What `milestone` and `milestone_id` may say instead of a milestone, in lower case. */
export const MILESTONE_KEYWORDS = ['none', 'any', 'upcoming', 'started'] as const;
export type MilestoneKeyword = (typeof MILESTONE_KEYWORDS)[number];

/** That it is planned for none, for any, or for one that is about to begin or has begun. */
export function isPlanned(keyword: MilestoneKeyword, today: string): Expression<SqlBool> {
  if (keyword === 'none') return onIssuables('i.milestone_id', 'is', null);
  if (keyword === 'any') return onIssuables('i.milestone_id', 'is not', null);
  const ids = onIssuables.selectFrom('milestones as m').select('m.id').where(planned[keyword](today));
  return onIssuables('i.milestone_id', 'in', ids);
}

/** What `due_date` of lists may say. */
export const DUE_KEYWORDS = [
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
export type DueKeyword = (typeof DUE_KEYWORDS)[number];

/** That it is due then, by the days of now, UTC; a week begins on Monday. */
export function isDue(keyword: DueKeyword, today: string): Expression<SqlBool> {
  const due = onIssuables.ref('i.due_date');
  const from = (days: string) => sql<string>`${today}::date ${sql.raw(days)}`;
  const getStart = (unit: 'month' | 'week', later = '') =>
    sql<string>`date_trunc(${sql.lit(unit)}, ${today}::timestamp) ${sql.raw(later)}`;
  const between = (first: Expression<string>, end: Expression<string>) =>
    onIssuables.and([onIssuables(due, '>=', first), onIssuables(due, '<', end)]);
  switch (keyword) {
    case '0':
    case 'none':
      return onIssuables(due, 'is', null);
    case 'any':
      return onIssuables(due, 'is not', null);
    case 'today':
      return onIssuables(due, '=', from(''));
    case 'tomorrow':
      return onIssuables(due, '=', from('+ 1'));
    case 'overdue':
      return onIssuables(due, '<', from(''));
    case 'week':
    case 'month':
      return between(getStart(keyword), getStart(keyword, `+ interval '1 ${keyword}'`));
    case 'next_month_and_previous_two_weeks':
      return between(from('- 14'), getStart('month', "+ interval '2 months'"));
  }
}
