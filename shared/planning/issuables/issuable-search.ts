import { likeLiteral, or, raw, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { searchTerms } from '../../tenancy/project-lists/project-search.js';

/** Where a search looks. */
export const SEARCHED = ['title', 'description'] as const;
export type Searched = (typeof SEARCHED)[number];

/** Terms beyond so many are compared without an index: each costs the planner time, and the first ones find few rows. */
const INDEXED_TERMS = 12;

/**
 * That each term of a search stands in the title or the description of `i`, whatever the case: conditions of which each
 * is served by an index. `%`, `_` and `\` are themselves. None where the search says nothing.
 */
export function searchConditions(search: string, searched: readonly Searched[]): Sql[] {
  const patterns = searchTerms(search).map((term) => `%${likeLiteral(term)}%`);
  const columns = searched.map((name) => raw(`i.${name}`));
  const conditions = patterns
    .slice(0, INDEXED_TERMS)
    .map((pattern) => or(columns.map((column) => sql`${column} ilike ${pattern}`)));
  const rest = patterns.slice(INDEXED_TERMS);
  if (rest.length > 0)
    conditions.push(
      sql`concat_ws(E'\n', ${raw(searched.map((name) => `i.${name}`).join(', '))}) ilike all (${rest}::text[])`,
    );
  return conditions;
}
