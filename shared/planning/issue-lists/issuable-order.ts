import { sql } from 'kysely';
import type { Expression } from 'kysely';
import { constant, scalar } from '../../core/database/expressions.js';
import type { List, MatchingQuery, OrderStep } from '../../core/database/list.js';
import { byId } from '../../core/database/list.js';
import { onIssuables } from '../issuables/issuable-filters.js';
import type { IssuableType } from '../issuables/issuable-type.js';

export type Direction = 'asc' | 'desc';

/** The fields that lists are ordered by, and the additional values of lists with computed sort keys. */
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

const getDay = (direction: Direction) => onIssuables.cast<string>(constant(lastDay(direction)), 'date');

/** A day, or else the last one. */
export const orLastDay = (day: Expression<string | null>, direction: Direction) =>
  onIssuables.fn.coalesce(day, getDay(direction));

/** A number, or else the last one. */
export const orLastNumber = (number: Expression<number | null>, direction: Direction) =>
  onIssuables.fn.coalesce(number, constant(lastNumber(direction)));

/** An instant, or else the last one. */
export const orLastInstant = (instant: Expression<Date | null>, direction: Direction) =>
  onIssuables.fn.coalesce(instant, onIssuables.cast<Date>(constant(lastInstant(direction)), 'timestamptz'));

const milestoneDue = (direction: Direction): Expression<unknown> =>
  orLastDay(
    scalar(onIssuables.selectFrom('milestones as m').select('m.due_date').whereRef('m.id', '=', 'i.milestone_id')),
    direction,
  );

/** The priority of the most important label, 0 first. */
function labelPriority({ tables }: IssuableType, direction: Direction): Expression<unknown> {
  const priority = onIssuables
    .selectFrom(`${tables.labels} as il`)
    .innerJoin('label_priorities as lp', (join) =>
      join.onRef('lp.label_id', '=', 'il.label_id').onRef('lp.project_id', '=', 'i.project_id'),
    )
    .select((eb) => eb.fn.min<number | null>('lp.priority').as('priority'))
    .whereRef(`il.${tables.record_id}`, '=', 'i.id');
  return orLastNumber(scalar(priority), direction);
}

export const step = <T>(
  key: string,
  expression: Expression<unknown>,
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
    created_at: (to: Direction) => [
      step<T>('created_at', onIssuables.ref('i.created_at'), to, 'instant', (one) => one.created_at),
    ],
    updated_at: (to: Direction) => [
      step<T>('updated_at', onIssuables.ref('i.updated_at'), to, 'instant', (one) => one.updated_at),
    ],
    title: (to: Direction) => [
      step<T>('ordering', onIssuables.fn('lower', ['i.title']), to, 'text', (one) => one.ordering),
    ],
    popularity: (to: Direction) => [
      step<T>('upvotes', onIssuables.ref('i.upvotes'), to, 'integer', (one) => one.upvotes),
    ],
    milestone_due: (to: Direction) => [byDue(to)],
    label_priority: (to: Direction) => [byPriority(to)],
    priority: (to: Direction) => [byDue(to), byPriority(to)],
  };
}

/** Sort keys that are selected in addition to the record's columns because they define its position in the list. */
const SELECTED: readonly string[] = ['ordering', 'label_priority'];

/** A list by these steps; ids decide between equals. */
export function asOrdered<T extends { id: number }, L extends List<T>>(
  list: L,
  steps: readonly OrderStep<T>[],
  sort: Direction,
): L {
  const selected = steps.filter(({ key }) => SELECTED.includes(key));
  // By anything but its creation, the most of a large project may have to be sorted.
  const planEachTime = list.planEachTime === true || steps[0]?.key !== 'created_at';
  const select = (query: MatchingQuery) =>
    selected.reduce((some, { key, expression }) => some.select(sql`${expression}`.as(key)), list.select(query));
  return { ...list, select, order: [...steps, byId<T>('i', sort)], planEachTime };
}
