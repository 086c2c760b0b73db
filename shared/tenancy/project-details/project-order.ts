import { expressionBuilder } from 'kysely';
import type { ProjectRecord } from '../projects/project.entity.js';
import type { z } from 'zod';
import type { Aliased } from '../../core/database/tables.js';
import type { Context } from '../../core/context/context.js';
import { oneOf, withDefault } from '../../core/operations/fields.js';
import { byId } from '../../core/database/list.js';
import type { List, OrderStep } from '../../core/database/list.js';
import type { OfProjects } from '../projects/project.finder.js';
import { searchTerms, similarityTo } from './project-search.js';

const COLUMNS = {
  name: 'text',
  path: 'text',
  updated_at: 'instant',
  last_activity_at: 'instant',
  star_count: 'integer',
} as const;
type Column = keyof typeof COLUMNS;

/** Sizes that administrators may order by. */
const SIZES = ['repository_size', 'storage_size', 'packages_size', 'wiki_size'] as const;
type Size = (typeof SIZES)[number];

const BASIC = [
  'id',
  'name',
  'path',
  'created_at',
  'updated_at',
  'last_activity_at',
  'similarity',
  'star_count',
] as const;

const direction = withDefault(oneOf(['asc', 'desc']), 'desc').describe('Direction of the sort order.');

/** Parameters of an order (projects.md section 2.3). */
export const orderParams = {
  order_by: withDefault(oneOf([...BASIC, ...SIZES]), 'created_at').describe(
    'Field to sort the projects by; sizes are for administrators.',
  ),
  sort: direction,
};

/** The same without sizes (projects.md section 3). */
export const groupOrderParams = {
  order_by: withDefault(oneOf(BASIC), 'created_at').describe('Field to sort the projects by.'),
  sort: direction,
};

type Order = z.output<z.ZodObject<typeof orderParams>>;
type OrderBy = Order['order_by'];
/** The order of a list, independent of the transport. */
export interface ProjectOrder {
  order_by: OrderBy;
  sort: Order['sort'];
  search?: string | undefined;
}

type Ordered = Pick<List<ProjectRecord>, 'select' | 'order'>;
type Selected = Pick<List<ProjectRecord>, 'select'>;

const onSizes = expressionBuilder<Aliased<OfProjects, { pst: 'project_statistics' }>, 'p' | 'pst'>();

/** Whether the order is by similarity and there is a search to compare with. */
export function bySimilarity({ order_by: by, search }: ProjectOrder): boolean {
  return by === 'similarity' && search !== undefined && searchTerms(search).length > 0;
}

const isSize = (by: OrderBy): by is Size => (SIZES as readonly string[]).includes(by);
const isColumn = (by: OrderBy): by is Column => by in COLUMNS;

const columnStep = (column: Column, sort: Order['sort']): OrderStep<ProjectRecord> => ({
  key: column,
  expression: onSizes.ref(`p.${column}`),
  direction: sort,
  type: COLUMNS[column],
  value: (project) => project[column],
});

function bySize(size: Size, sort: Order['sort'], { select }: Selected): Ordered {
  const expression = onSizes.ref(`pst.${size}`);
  return {
    select: (query) =>
      select(query).innerJoin('project_statistics as pst', 'pst.project_id', 'p.id').select(expression.as('ordering')),
    order: [
      { key: size, expression, direction: sort, type: 'integer', value: (project) => project.ordering },
      byId('p', sort),
    ],
  };
}

function bySearch(search: string, sort: Order['sort'], { select }: Selected): Ordered {
  const expression = similarityTo(search);
  return {
    select: (query) => select(query).select(expression.as('ordering')),
    order: [
      { key: 'similarity', expression, direction: sort, type: 'number', value: (project) => project.ordering },
      byId('p', sort),
    ],
  };
}

/**
 * A list's order, with ids in the same direction as tie-breaker, and the columns that it needs. Orders by id for
 * creation time, for orders that the caller may not use, and for similarity without a search.
 */
export function ordered(ctx: Context, order: ProjectOrder, { select }: Selected): Ordered {
  const { order_by: by, sort } = order;
  if (bySimilarity(order)) return bySearch(order.search ?? '', sort, { select });
  if (isSize(by) && ctx.caller.admin) return bySize(by, sort, { select });
  const last = byId<ProjectRecord>('p', sort);
  return { select, order: isColumn(by) ? [columnStep(by, sort), last] : [last] };
}
