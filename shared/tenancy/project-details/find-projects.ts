import type { Expression, SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { BadParams } from '../../core/values/errors.js';
import { day, boolean, integer, list, optional, oneOf, text } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { anyIn, anyOf, arrayFrom, contains, sameText, scalar } from '../../core/database/expressions.js';
import { onProjects } from '../projects/project.finder.js';
import { accessFilterParams } from './project-access-filters.js';
import { featureFilterParams, hasTopics, resourceFilterParams } from './project-feature-filters.js';
import type { ProjectOrder } from './project-order.js';
import { instanceFilterParams, marked, projectStateFilterParams } from './project-state-filters.js';
import { filteredProjects, searchParams } from './project.filters.js';
import type { ProjectList } from './project.filters.js';

/** Columns that a sort may name, by their name in GraphQL. */
const SORTS: Record<string, ProjectOrder['order_by']> = {
  id: 'id',
  name: 'name',
  path: 'path',
  created_at: 'created_at',
  updated_at: 'updated_at',
  star_count: 'star_count',
  latest_activity: 'last_activity_at',
  storage_size: 'storage_size',
};

const MOST_PATHS = 50;

const findParams = {
  ids: optional(list(integer(), { max: 100 })).describe('IDs of the projects to return.'),
  full_paths: optional(list(text())).describe('Full paths of the projects to return.'),
  personal: optional(boolean()).describe("If `true`, returns only projects in the caller's own namespace."),
  aimed_for_deletion: optional(boolean()).describe('If `true`, returns only projects marked for deletion.'),
  not_aimed_for_deletion: optional(boolean()).describe(
    'If `true`, returns only projects that are not marked for deletion.',
  ),
  namespace_path: optional(text()).describe('Full path of the namespace that the projects are directly in.'),
  include_subgroups: optional(boolean()).describe(
    'If `true`, includes projects of subgroups; used with `namespace_path`.',
  ),
  topics: optional(list(text())).describe('Names of topics that the projects have all of.'),
  archived: projectStateFilterParams.archived,
  active: projectStateFilterParams.active,
  visibility: optional(oneOf(['private', 'internal', 'public'])).describe('Filter by the visibility of the project.'),
  marked_for_deletion_on: optional(day()).describe('Returns projects marked for deletion on this date.'),
  include_hidden: instanceFilterParams.include_hidden,
  membership: accessFilterParams.membership,
  min_access_level: accessFilterParams.min_access_level,
  with_programming_language: resourceFilterParams.with_programming_language,
  ...featureFilterParams,
  ...searchParams,
  sort: optional(text()).describe('Sort order: `<column>_asc`, `<column>_desc` or `similarity`.'),
};

type FindProjectsInput = z.output<z.ZodObject<typeof findParams>>;

/** Projects right in the namespace of a path, or also below it. */
function withinPath(path: string, below: boolean): Expression<SqlBool> {
  const namespaceId = scalar(
    onProjects
      .selectFrom('routes as named')
      .select('named.namespace_id')
      .where((eb) => sameText(eb.ref('named.path'), path))
      .$castTo<{ namespace_id: number }>(),
  );
  if (!below) return onProjects('p.namespace_id', '=', namespaceId);
  const ids = onProjects
    .selectFrom('namespaces as d')
    .select('d.id')
    .where((eb) => contains(eb.ref('d.traversal_ids'), namespaceId));
  return onProjects('p.namespace_id', '=', anyIn(arrayFrom(ids)));
}

/** Projects with one of these full paths, in lower case. */
function haveOneOf(paths: readonly string[]): Expression<SqlBool> {
  const ids = onProjects
    .selectFrom('routes as named')
    .select('named.project_id')
    .where((eb) => eb(eb.fn('lower', ['named.path']), '=', anyOf(paths, 'text')))
    .$castTo<{ project_id: number }>();
  return onProjects('p.id', '=', anyIn(arrayFrom(ids)));
}

/** Conditions on `p` for filters that the REST lists do not have. */
function ownConditions(ctx: Context, input: FindProjectsInput): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  if (input.ids) conditions.push(onProjects('p.id', '=', anyOf(input.ids, 'bigint')));
  if (input.full_paths) conditions.push(haveOneOf(input.full_paths.map((path) => path.toLowerCase())));
  if (input.personal) {
    const own = onProjects.selectFrom('namespaces as o').select('o.id').where('o.owner_id', '=', ctx.caller.id);
    conditions.push(onProjects('p.namespace_id', '=', anyIn(arrayFrom(own))));
  }
  if (input.aimed_for_deletion) conditions.push(marked);
  if (input.not_aimed_for_deletion) conditions.push(onProjects.not(marked));
  if (input.namespace_path !== undefined)
    conditions.push(withinPath(input.namespace_path, input.include_subgroups ?? false));
  if (input.topics) conditions.push(...hasTopics(input.topics));
  return conditions;
}

/** The best match first where something is searched, else the newest. @throws BadParams for a sort that is none */
function parseSort({ sort, search }: FindProjectsInput): { order_by: ProjectOrder['order_by']; sort: 'asc' | 'desc' } {
  const [, column = '', direction] = /^(\w+)_(asc|desc)$/i.exec(sort ?? '') ?? [];
  const order_by = SORTS[column.toLowerCase()];
  if (order_by && direction) return { order_by, sort: direction.toLowerCase() === 'asc' ? 'asc' : 'desc' };
  if (sort !== undefined && sort !== 'similarity') throw new BadParams(['sort does not have a valid value']);
  return { order_by: search ? 'similarity' : 'id', sort: 'desc' };
}

/**
 * Find projects visible to the caller, with the arguments of the GraphQL query (graphql.md section 5.1).
 * @throws BadParams
 */
export const findProjects = operation({
  name: 'findProjects',
  summary: 'Find projects visible to the caller',
  resource: instance,
  authentication: 'open',
  limit: 'projects_list',
  kind: 'read',
  statements: 4,
  params: findParams,
  run(ctx, _instance, input): Promise<ProjectList> {
    if (input.full_paths && input.full_paths.length > MOST_PATHS)
      throw new BadParams([`You cannot provide more than ${MOST_PATHS} full_paths`]);
    const { sort: _sort, ...filters } = input;
    const where = ownConditions(ctx, input);
    const order = parseSort(input);
    const similarity = order.order_by === 'similarity' ? 'any' : 'own';
    return Promise.resolve(filteredProjects(ctx, { ...filters, ...order }, { where, similarity }));
  },
});
