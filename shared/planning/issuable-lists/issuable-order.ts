import { sql as kyselySql } from 'kysely';
import type { AnyList, List, MatchingQuery, OrderStep, TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { IssuableType } from '../issuables/issuable-type.js';

export type Direction = 'asc' | 'desc';

/** What of a record lists are ordered by, and what stands beside it in lists that are ordered by something else. */
interface Ordered {
  readonly id: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly upvotes: number;
  readonly ordering?: string | number;
  readonly label_priority?: number;
}

/** What has no value comes last in both directions. */
export const lastDay = (direction: Direction) => (direction === 'asc' ? 'infinity' : '-infinity');
export const lastNumber = (direction: Direction) => (direction === 'asc' ? 2 ** 31 - 1 : -1);

/** Before and after every time that there is. */
export const lastInstant = (direction: Direction) =>
  direction === 'asc' ? '9999-12-31T00:00:00.000Z' : '0001-01-01T00:00:00.000Z';

const milestoneDue = (direction: Direction): Fragment => sql`coalesce(
  (select m.due_date from milestones m where m.id = i.milestone_id), ${lastDay(direction)}::date)`;

/** The priority of the most important label, 0 first. */
const labelPriority = ({ labels, column }: IssuableType, direction: Direction): Fragment => sql`coalesce(
  (select min(lp.priority) from ${labels} il
     join label_priorities lp on lp.label_id = il.label_id and lp.project_id = i.project_id
    where il.${column} = i.id), ${lastNumber(direction)}::int)`;

export const step = <T>(
  key: string,
  expression: Fragment,
  direction: Direction,
  type: OrderStep<T>['type'],
  value: OrderStep<T>['value'],
): OrderStep<T> => ({ key, expression, direction, type, value });

/** The orders that issues and merge requests have in common. */
export function commonOrders<T extends Ordered>(type: IssuableType) {
  const byDue = (to: Direction) => step<T>('ordering', milestoneDue(to), to, 'text', (record) => record.ordering);
  const byPriority = (to: Direction) =>
    step<T>('label_priority', labelPriority(type, to), to, 'integer', (record) => record.label_priority);
  return {
    created_at: (to: Direction) => [step<T>('created_at', sql`i.created_at`, to, 'instant', (one) => one.created_at)],
    updated_at: (to: Direction) => [step<T>('updated_at', sql`i.updated_at`, to, 'instant', (one) => one.updated_at)],
    title: (to: Direction) => [step<T>('ordering', sql`lower(i.title)`, to, 'text', (one) => one.ordering)],
    popularity: (to: Direction) => [step<T>('upvotes', sql`i.upvotes`, to, 'integer', (one) => one.upvotes)],
    milestone_due: (to: Direction) => [byDue(to)],
    label_priority: (to: Direction) => [byPriority(to)],
    priority: (to: Direction) => [byDue(to), byPriority(to)],
  };
}

/** What is selected beside the records where it tells a record's position in the list. */
const SELECTED: readonly string[] = ['ordering', 'label_priority'];

/** A list by these steps; ids decide between equals. */
export function asOrdered<T extends { id: number }, L extends AnyList<T>>(
  list: L,
  steps: readonly OrderStep<T>[],
  sort: Direction,
): L {
  const selected = steps.filter(({ key }) => SELECTED.includes(key));
  // By anything but its creation, the most of a large project may have to be sorted.
  const planEachTime = list.planEachTime === true || steps[0]?.key !== 'created_at';
  const order = [...steps, byId<T>('i', sort)];
  if (isText(list)) {
    const select = selected.reduce(
      (all, { key, expression }) => sql`${all}, ${expression} as ${raw(`"${key}"`)}`,
      list.select,
    );
    return { ...list, select, order, planEachTime };
  }
  const select = (query: MatchingQuery) =>
    selected.reduce(
      (some, { key, expression }) => some.select(kyselySql`${expression}`.as(key)),
      (list as List<T>).select(query),
    );
  return { ...list, select, order, planEachTime };
}

const isText = (list: object): list is TextList<never> => 'from' in list;
