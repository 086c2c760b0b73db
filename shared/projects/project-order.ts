import type { z } from 'zod';
import type { Context } from '../core/context.js';
import { oneOf, withDefault } from '../core/fields.js';
import { byId } from '../core/list.js';
import type { OrderStep } from '../core/list.js';
import { raw } from '../core/sql.js';
import type { ProjectRecord } from './project.finder.js';
import { searchTerms, similarityTo } from './project-search.js';

const COLUMNS = {
  name: 'text',
  path: 'text',
  updated_at: 'instant',
  last_activity_at: 'instant',
  star_count: 'integer',
} as const;

const ORDERS = [
  'id',
  'name',
  'path',
  'created_at',
  'updated_at',
  'last_activity_at',
  'similarity',
  'star_count',
] as const;

/** Parameters of an order (projects.md section 2.3). */
export const orderParams = {
  order_by: withDefault(oneOf(ORDERS), 'created_at').describe('Column to order by.'),
  sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Direction of the order.'),
};

export type Order = z.output<z.ZodObject<typeof orderParams>>;
export type Direction = Order['sort'];
type By = Order['order_by'];
/** How a list is ordered, whatever transport asked for it. */
export interface OrderWish {
  order_by: By;
  sort: Direction;
  search?: string | undefined;
}

/** Whether the order is by how well the search fits: without a search, or not signed in, there is none. */
export function bySimilarity(ctx: Context, { order_by: by, search }: OrderWish): boolean {
  return by === 'similarity' && !ctx.caller.anonymous && search !== undefined && searchTerms(search).length > 0;
}

const byColumn = (column: keyof typeof COLUMNS, direction: Direction): OrderStep<ProjectRecord> => ({
  key: column,
  expression: raw(`p.${column}`),
  direction,
  type: COLUMNS[column],
  value: (project) => project[column],
});

/**
 * The steps of an order, ids in the same direction behind every column. Creation is ordered as ids are, and so is
 * what the caller may not order by.
 */
export function projectOrder(ctx: Context, wish: OrderWish): OrderStep<ProjectRecord>[] {
  const { order_by: by, sort } = wish;
  const last = byId<ProjectRecord>('p', sort);
  if (bySimilarity(ctx, wish)) {
    const expression = similarityTo(wish.search ?? '');
    return [
      { key: 'similarity', expression, direction: sort, type: 'number', value: (one) => one.similarity ?? 0 },
      last,
    ];
  }
  return by in COLUMNS ? [byColumn(by as keyof typeof COLUMNS, sort), last] : [last];
}
