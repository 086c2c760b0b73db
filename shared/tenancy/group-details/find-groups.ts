import type { Expression, SqlBool } from 'kysely';
import type { z } from 'zod';
import { anyOf } from '../../core/database/expressions.js';
import { BadParams } from '../../core/values/errors.js';
import { integer, list, oneOf, optional, text } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { onGroups } from '../groups/group.finder.js';
import { groupFilterParams, filteredGroups } from './group.filters.js';
import type { GroupFilters } from './group.filters.js';
import { GROUP_PERMISSIONS, permitsProjects } from './groups-for-projects.js';

const findParams = {
  ids: optional(list(integer(), { max: 100 })).describe('IDs of the groups to return.'),
  search: groupFilterParams.search,
  top_level_only: groupFilterParams.top_level_only,
  owned: groupFilterParams.owned,
  all_available: groupFilterParams.all_available,
  permission_scope: optional(oneOf(GROUP_PERMISSIONS)).describe(
    'Returns groups in which the caller has this permission.',
  ),
  sort: optional(text()).describe('Sort order: `<column>_asc` or `<column>_desc` of name, path and ID.'),
};

/** Sorts by name by default. @throws BadParams for an invalid sort */
function parseSort({ sort }: z.output<z.ZodObject<typeof findParams>>): Pick<GroupFilters, 'order_by' | 'sort'> {
  const [, column, direction] = /^(name|path|id)_(asc|desc)$/i.exec(sort ?? 'name_asc') ?? [];
  if (!column || !direction) throw new BadParams(['sort does not have a valid value']);
  return {
    order_by: column.toLowerCase() as GroupFilters['order_by'],
    sort: direction.toLowerCase() as GroupFilters['sort'],
  };
}

/**
 * Find groups visible to the caller, with the arguments of the GraphQL query (graphql.md section 5.1). @throws
 * BadParams
 */
export const findGroups = operation({
  name: 'findGroups',
  summary: 'Find groups visible to the caller',
  resource: instance,
  authentication: 'open',
  kind: 'read',
  statements: 4,
  params: findParams,
  run(ctx, _instance, input) {
    const { ids, permission_scope: permission, ...filters } = input;
    const where: Expression<SqlBool>[] = ids ? [onGroups('n.id', '=', anyOf(ids, 'bigint'))] : [];
    if (permission) where.push(permitsProjects(ctx, permission));
    return Promise.resolve(filteredGroups(ctx, where, { ...filters, ...parseSort(input) }));
  },
});
