import type { Expression, SqlBool } from 'kysely';
import { Invalid } from '../../core/values/errors.js';
import { oneOf, optional, text } from '../../core/operations/fields.js';
import { notTogether } from '../../core/operations/params.js';
import { likeLiteral } from '../../core/database/expressions.js';
import { onEnvironments } from './environment.finder.js';

/** Letters that a search has at least. */
const MIN_SEARCH = 3;

export const ENVIRONMENT_STATES = ['available', 'stopping', 'stopped'] as const;

/** Filters that REST and GraphQL share. */
export const namingFilters = {
  name: optional(text()).describe('Filter by exact name of the environment.'),
  search: optional(text()).describe('Search by part of the name, at least 3 characters.'),
};
export const namingFilterRules = [notTogether('name', 'search')];

/**
 * Environments with that name, or whose name contains the search text, as conditions on `e`.
 * @throws Invalid for a short search
 */
export function namingConditions({
  name,
  search,
}: {
  name?: string | undefined;
  search?: string | undefined;
}): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [];
  if (search !== undefined && search.length < MIN_SEARCH)
    throw new Invalid(`400 Bad request - Search query is less than ${MIN_SEARCH} characters`);
  if (name !== undefined) where.push(onEnvironments('e.name', '=', name));
  if (search !== undefined) where.push(onEnvironments('e.name', 'ilike', `%${likeLiteral(search)}%`));
  return where;
}

export const stateParam = optional(oneOf(ENVIRONMENT_STATES)).describe('Filter by state of the environment.');
