import type { z } from 'zod';
import type { Context } from '../core/context.js';
import { flag, maybe, text } from '../core/fields.js';
import type { Keyset, List } from '../core/list.js';
import { sql } from '../core/sql.js';
import type { Sql } from '../core/sql.js';
import { accessConditions, accessFilterParams, membershipCondition } from './project-access-filters.js';
import { bySimilarity, orderParams, projectOrder } from './project-order.js';
import { rangeConditions, rangeFilterParams } from './project-range-filters.js';
import { searchCondition, similarityTo } from './project-search.js';
import {
  instanceConditions,
  instanceFilterParams,
  stateConditions,
  stateFilterParams,
} from './project-state-filters.js';
import { visibleProjects } from './project.finder.js';
import type { ProjectRecord } from './project.finder.js';

export const searchParams = {
  search: maybe(text()).describe('Words that path, name or description hold, all of them in one of the three.'),
  search_namespaces: maybe(flag()).describe('Search the full path and full name, the namespaces above included.'),
};

export const presentationParams = {
  simple: maybe(flag()).describe('Answer the basic record.'),
};

/** Parameters of `GET /projects` and of lists like it (projects.md section 2). */
export const projectFilterParams = {
  ...stateFilterParams,
  ...searchParams,
  ...accessFilterParams,
  ...rangeFilterParams,
  ...instanceFilterParams,
  ...orderParams,
  ...presentationParams,
};

/** What any list of projects may be asked for; each kind of list declares its part of it. */
export type ProjectFilters = Partial<z.output<z.ZodObject<typeof projectFilterParams>>>;

/** A list of projects, and how its records are wanted. */
export interface ProjectList extends List<ProjectRecord> {
  simple: boolean;
}

/** The conditions of every filter, on `p`. @throws Invalid for filters that contradict the order */
function conditionsOf(ctx: Context, input: ProjectFilters): Sql[] {
  const searched = input.search === undefined ? null : searchCondition(input.search, input.search_namespaces ?? false);
  return [
    ...accessConditions(ctx, input),
    ...stateConditions(ctx, input),
    ...instanceConditions(ctx, input),
    ...rangeConditions(input),
    ...(searched ? [searched] : []),
  ];
}

interface Options {
  /** Which projects the list is about, before any filter. */
  where?: readonly Sql[];
  /** How the best matches come first: only among the caller's own projects in `GET /projects`. */
  similarAmongOwn?: boolean;
  keyset?: Keyset;
}

/** The projects that the caller may see and asked for, in the order asked for. */
export function filteredProjects(ctx: Context, input: ProjectFilters, options: Options = {}): ProjectList {
  const wish = { ...input, order_by: input.order_by ?? 'created_at', sort: input.sort ?? 'desc' };
  const similar = bySimilarity(ctx, wish);
  const where = [...(options.where ?? []), ...conditionsOf(ctx, input)];
  if (similar && options.similarAmongOwn) where.push(membershipCondition(ctx));
  const list = visibleProjects(ctx, where);
  return {
    ...list,
    ...(similar ? { select: sql`${list.select}, ${similarityTo(wish.search ?? '')} as "similarity"` } : {}),
    order: projectOrder(ctx, wish),
    ...(options.keyset ? { keyset: options.keyset } : {}),
    simple: input.simple === true,
  };
}
