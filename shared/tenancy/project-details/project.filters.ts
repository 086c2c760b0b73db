import type { Expression, SqlBool } from 'kysely';
import type { ProjectRecord } from '../projects/project.entity.js';
import type { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { boolean, optional, text } from '../../core/operations/fields.js';
import type { Keyset, List } from '../../core/database/list.js';
import { attributeConditions, attributeFilterParams } from '../containers/custom-attribute.filters.js';
import { accessConditions, accessFilterParams, membershipCondition } from './project-access-filters.js';
import { featureConditions, featureFilterParams, resourceFilterParams } from './project-feature-filters.js';
import { bySimilarity, ordered, orderParams } from './project-order.js';
import type { ProjectOrder } from './project-order.js';
import { rangeConditions, rangeFilterParams } from './project-range-filters.js';
import { searchCondition } from './project-search.js';
import {
  instanceConditions,
  instanceFilterParams,
  seesRemoved,
  projectStateConditions,
  projectStateFilterParams,
} from './project-state-filters.js';
import { onProjects, visibleProjects } from '../projects/project.finder.js';

export const searchParams = {
  search: optional(text()).describe(
    'Words that are all in the path, all in the name, or all in the description of the project.',
  ),
  search_namespaces: optional(boolean()).describe(
    'If `true`, searches the full path and full name, including ancestor namespaces.',
  ),
};

/** How the records are wanted. */
export const presentationParams = {
  simple: optional(boolean()).describe('If `true`, returns only the basic fields of the project.'),
};

const statisticsParam = {
  statistics: optional(boolean()).describe('If `true`, includes statistics, where the caller is Reporter or above.'),
};

/** Parameters of `GET /projects` and of lists like it (projects.md section 2). */
export const projectFilterParams = {
  ...projectStateFilterParams,
  ...searchParams,
  ...accessFilterParams,
  ...featureFilterParams,
  ...resourceFilterParams,
  ...rangeFilterParams,
  ...instanceFilterParams,
  ...attributeFilterParams,
  ...orderParams,
  ...presentationParams,
  ...statisticsParam,
};

/** All filters of project lists; each kind of list declares its subset. */
export type ProjectFilters = Partial<z.output<z.ZodObject<typeof projectFilterParams>>>;

/** A list of projects, and how its records are wanted. */
export interface ProjectList extends List<ProjectRecord> {
  simple: boolean;
}

/** The conditions of every filter, on `p`. @throws Invalid for filters that contradict the order */
function getConditions(ctx: Context, input: ProjectFilters): Expression<SqlBool>[] {
  const searched = input.search === undefined ? null : searchCondition(input.search, input.search_namespaces ?? false);
  return [
    ...accessConditions(ctx, input),
    ...projectStateConditions(ctx, input),
    ...featureConditions(ctx, input),
    ...instanceConditions(ctx, input),
    ...rangeConditions(input),
    ...attributeConditions(ctx, 'project', onProjects.ref('p.id'), input.custom_attributes),
    ...(searched ? [searched] : []),
  ];
}

interface Options {
  /** Which projects the list is about, before any filter. */
  where?: readonly Expression<SqlBool>[];
  /**
   * Scope of the order by similarity: `own` covers the caller's projects and is not available to anonymous callers
   * (projects.md section 2.3); `any` covers all projects and becomes the order by name without a search (section 3).
   */
  similarity?: 'own' | 'any';
  keyset?: Keyset<ProjectRecord>;
}

/** The effective order, if the requested one is not available to this caller or requires a search. */
function getOrder(ctx: Context, input: ProjectFilters, similarity: 'own' | 'any'): ProjectOrder {
  const { order_by = 'created_at', sort = 'desc', search } = input;
  const order = { order_by, sort, search };
  if (order_by !== 'similarity') return order;
  if (similarity === 'own') return ctx.caller.anonymous ? { ...order, order_by: 'created_at' } : order;
  return bySimilarity(order) ? order : { ...order, order_by: 'name', sort: 'asc' };
}

/** Projects visible to the caller, with the requested filters and order. @throws Invalid */
export function filteredProjects(ctx: Context, input: ProjectFilters, options: Options = {}): ProjectList {
  const { similarity = 'own', keyset } = options;
  const order = getOrder(ctx, input, similarity);
  const where = [...(options.where ?? []), ...getConditions(ctx, input)];
  if (similarity === 'own' && bySimilarity(order)) where.push(membershipCondition(ctx));
  const list = visibleProjects(ctx, where, { removed: seesRemoved(ctx, input) });
  return { ...list, ...ordered(ctx, order, list), ...(keyset ? { keyset } : {}), simple: input.simple === true };
}
